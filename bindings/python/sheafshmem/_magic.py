# SPDX-License-Identifier: BSD-3-Clause
"""The cell magic %%sheaf: a notebook's cell as the program of a job."""
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from sheafshmem._run import JobError, run


def _cell(text, names):
    """Runs a cell on a PE, with the notebook's variables that it was given; returns those that it was asked for."""
    given, wanted = names
    space = {"__name__": "__main__", **given}
    exec(compile(text, "<cell>", "exec"), space)
    return {name: space[name] for name in wanted}


@magics_class
class Magic(Magics):
    @magic_arguments()
    @argument("-n", "--pes", type=int, default=4, help="number of PEs (4)")
    @argument("--send", default="", help="names of the notebook's variables that the cell uses, with commas")
    @argument("--result", default="", help="names of the cell's variables that become lists here, by PE, with commas")
    @cell_magic
    def sheaf(self, line, cell):
        """Runs the cell on several PEs."""
        options = parse_argstring(self.sheaf, line)
        sent = {name: self.shell.user_ns[name] for name in options.send.split(",") if name}
        wanted = [name for name in options.result.split(",") if name]
        try:
            found = run(_cell, cell, (sent, wanted), pes=options.pes)
        except JobError as error:
            print(error)
            return
        for name in wanted:
            self.shell.user_ns[name] = [each[name] for each in found]
