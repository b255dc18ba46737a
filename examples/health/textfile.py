#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""textfile.py SOCKET FOLDER [SECONDS]: writes the metrics of oshtop --serve into FOLDER/sheaf.prom again and again, for
the text file collector of Prometheus' node_exporter (--collector.textfile.directory=FOLDER).

A Prometheus that can reach 127.0.0.1 needs none of this: oshtop --serve=:9464, and as the target localhost:9464.
"""
import http.client
import os
import socket
import sys
import tempfile
import time


def ask(path, page, seconds=5):
    """The body of a page that oshtop serves on a Unix socket."""
    connection = http.client.HTTPConnection("localhost", timeout=seconds)
    connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.sock.settimeout(seconds)
    connection.sock.connect(path)
    try:
        connection.request("GET", page)
        response = connection.getresponse()
        if response.status != 200:
            raise OSError(f"{path}: {page}: {response.status} {response.reason}")
        return response.read()
    finally:
        connection.close()


def write(folder, text):
    """The collector sees the old file or the new one, and never a part."""
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".sheaf-", delete=False) as file:
        file.write(text)
        os.fchmod(file.fileno(), 0o644)
    os.replace(file.name, os.path.join(folder, "sheaf.prom"))


def main():
    path, folder, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 0
    while True:
        try:
            write(folder, ask(path, "/metrics"))
        except (OSError, http.client.HTTPException) as problem:
            print(f"textfile.py: {problem}", file=sys.stderr)
            write(folder, b"sheaf_up 0\n")  # no old figures as if they were new
        if not seconds:
            return
        time.sleep(seconds)


if __name__ == "__main__":
    main()
