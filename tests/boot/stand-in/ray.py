# SPDX-License-Identifier: BSD-3-Clause
"""As much of Ray as examples/launch/ray_actors.py uses: each actor is a process of this host."""
import multiprocessing


def init():
    pass


def serve(name, pipe):
    """In the actor's process, which has imported the program anew."""
    actor = getattr(__import__("__mp_main__"), name).of()
    while True:
        try:
            method, arguments = pipe.recv()
        except EOFError:
            return
        pipe.send(getattr(actor, method)(*arguments))


class Actor:
    def __init__(self, name):
        self.pipe, theirs = multiprocessing.Pipe()
        multiprocessing.get_context("spawn").Process(target=serve, args=(name, theirs), daemon=True).start()
        theirs.close()

    def __getattr__(self, method):
        return Method(self.pipe, method)


class Method:
    def __init__(self, pipe, name):
        self.pipe, self.name = pipe, name

    def remote(self, *arguments):
        self.pipe.send((self.name, arguments))
        return self.pipe


class Remote:
    def __init__(self, of):
        self.of = of

    def remote(self):
        return Actor(self.of.__name__)


remote = Remote


def get(pipes):
    return [pipe.recv() for pipe in pipes] if isinstance(pipes, list) else pipes.recv()
