# SPDX-License-Identifier: BSD-3-Clause
"""The programs of the image tests really are what their names say: the linker might have ignored
an option, and the tests of a way of linking would then test nothing."""
import subprocess

import outside


def read(name):
    out = subprocess.run(["readelf", "-hlWd", outside.program(name)], stdout=subprocess.PIPE,
                         check=True, text=True).stdout
    return {"pie": "DYN (" in out, "dynamic": "INTERP" in out, "relro": "GNU_RELRO" in out,
            "now": "BIND_NOW" in out or "NOW" in out.split("FLAGS_1")[-1][:80]}


class Linking(outside.Case):
    def expect(self, name, **expected):
        if not outside.os.path.exists(outside.program(name)):
            self.skipTest("not built here: " + name)
        found = read(name)
        for key, value in expected.items():
            self.assertEqual(found[key], value, (name, key, found))

    def test_pie(self):
        self.expect("statics-pie", pie=True, dynamic=True, relro=True)

    def test_no_pie(self):
        self.expect("statics-no-pie", pie=False, dynamic=True)

    def test_static(self):
        self.expect("statics-static", pie=False, dynamic=False)

    def test_static_pie(self):
        self.expect("statics-static-pie", pie=True, dynamic=False)

    def test_norelro(self):
        self.expect("statics-norelro", relro=False)

    def test_now(self):
        self.expect("statics-now", relro=True, now=True)


if __name__ == "__main__":
    outside.main()
