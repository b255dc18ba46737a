# SPDX-License-Identifier: BSD-3-Clause
"""A PE that speaks PMI-1 with oshrun by hand, as an MPI would or as none would: pmi_client.py WHAT [ARGUMENT].
Prints what it found; exits with 1 where an answer is not the expected one."""
import os
import random
import signal
import socket
import sys
import time

RANK, SIZE = int(os.environ["PMI_RANK"]), int(os.environ["PMI_SIZE"])
wire = socket.socket(fileno=int(os.environ["PMI_FD"]))
wire.settimeout(20)


def send(line):
    wire.sendall(line if isinstance(line, bytes) else line.encode() + b"\n")


def answer():
    line = b""
    while not line.endswith(b"\n"):
        byte = wire.recv(1)
        if not byte:
            raise EOFError(line)
        line += byte
    return line.decode().rstrip("\n")


def ask(line, expected=None):
    send(line)
    got = answer()
    if expected is not None and got != expected:
        sys.exit(f"{line[:60]}: got {got}, expected {expected}")
    return got


def begin():
    ask("cmd=init pmi_version=1 pmi_subversion=1", "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0")
    return ask("cmd=get_my_kvsname").split("kvsname=")[1]


def barrier():
    ask("cmd=barrier_in", "cmd=barrier_out")


def end():
    ask("cmd=finalize", "cmd=finalize_ack")


def value_of(key, space):
    return ask(f"cmd=get kvsname={space} key={key}")


def exchange():
    """All that MPICH says in its start and end, in its order."""
    space = begin()
    ask("cmd=get_maxes", "cmd=maxes kvsname_max=64 keylen_max=64 vallen_max=768")
    ask("cmd=get_universe_size", f"cmd=universe_size size={SIZE}")
    appnum = ask("cmd=get_appnum")
    ask(f"cmd=put kvsname={space} key=card-{RANK} value={'x' * 700}{RANK}", "cmd=put_result rc=0 msg=success")
    barrier()
    for rank in range(SIZE):
        expected = f"cmd=get_result rc=0 msg=success value={'x' * 700}{rank}"
        ask(f"cmd=get kvsname={space} key=card-{rank}", expected)
    ask(f"cmd=get kvsname={space} key=PMI_process_mapping",
        f"cmd=get_result rc=0 msg=success value=(vector,(0,1,{SIZE}))")
    barrier()
    end()
    print(f"{RANK} of {SIZE} {appnum}")


def refused():
    """What is wrong in a request is answered, and the conversation goes on."""
    space = begin()
    bad = "cmd=put_result rc=-1 msg=bad_kvsname_key_or_value"
    ask(f"cmd=put kvsname={space} key={'k' * 64} value=v", bad)
    ask(f"cmd=put kvsname={space} key= value=v", bad)
    ask(f"cmd=put kvsname={space} key=k-{RANK} value={'v' * 768}", bad)
    ask(f"cmd=put kvsname={space} key=k-{RANK}", bad)
    ask(f"cmd=put kvsname=other key=k-{RANK} value=v", bad)
    ask(f"cmd=put key=k-{RANK} value=v", bad)
    none = "cmd=get_result rc=-1 msg=no_such_key value=unknown"
    for question in (f"kvsname={space} key=none", f"kvsname={space} key=", "kvsname=other key=k", "key=k", ""):
        ask(f"cmd=get {question}", none)
    ask(f"cmd=put kvsname={space} key={'k' * 61}{RANK:02} value={'v' * 767}", "cmd=put_result rc=0 msg=success")
    ask(f"cmd=put kvsname={space} key={'k' * 61}{RANK:02} value=w", "cmd=put_result rc=-1 msg=duplicate_key")
    ask("cmd=lookup_name service=s", "cmd=lookup_result rc=-1 info=not_served msg=not_served")
    barrier()
    end()
    print("refused")


def full():
    """A PE's share of the space ends, the others' does not."""
    space, kept = begin(), 0
    if RANK == 0:
        while ask(f"cmd=put kvsname={space} key=k{kept} value={'v' * 767}") == "cmd=put_result rc=0 msg=success":
            kept += 1
        ask(f"cmd=put kvsname={space} key=more value={'v' * 767}", "cmd=put_result rc=-1 msg=no_room")
    barrier()
    if RANK:
        ask(f"cmd=put kvsname={space} key=other value={'v' * 767}", "cmd=put_result rc=0 msg=success")
    barrier()
    end()
    print(f"kept {kept}" if RANK == 0 else "others put")


def spawn():
    begin()
    send(b"mcmd=spawn\nnprocs=1\nexecname=a b\ntotspawns=2\nspawnssofar=1\narg1=\xff cmd=abort\nendcmd\n")
    ask(b"mcmd=spawn\nnprocs=1\nexecname=x\ntotspawns=2\nspawnssofar=2\nendcmd\n",
        "cmd=spawn_result rc=-1 status=not_served")
    ask("cmd=get_appnum", "cmd=appnum appnum=0")
    barrier()
    end()


def misbehave(line):
    """PE 0 says one thing that is not PMI-1, in the middle of the conversation."""
    if RANK or line != "early":
        begin()
    if RANK == 0:
        send(eval(line) if line.startswith("b") else "cmd=get_maxes" if line == "early" else line)
    time.sleep(60)


def flood():
    """Asks and never reads."""
    begin()
    try:
        while RANK == 0:
            send("cmd=get_maxes")
    except OSError: # oshrun has had enough
        time.sleep(60)
    barrier()


def leave(how):
    """PE 1 ends while PE 0 is in the barrier: before its MPI began, after that, or in the barrier too."""
    if RANK == 0:
        begin()
        barrier()
    if how in ("began", "killed", "failed"):
        begin()
    if how == "killed":
        send("cmd=barrier_in" if SIZE > 2 else "cmd=get_maxes")
        os.kill(os.getpid(), signal.SIGKILL)
    sys.exit(5 if how == "failed" else 0)


def abort(code):
    begin()
    if RANK == 0:
        if code.endswith("b"):  # from another thread than the one in the barrier
            send("cmd=barrier_in")
        send("cmd=abort exitcode=" + code.rstrip("b"))
        time.sleep(60)
    barrier()


def babble(seed):
    """Lines put together from what such lines are made of, and bytes of any kind."""
    dice = random.Random(f"{seed} {RANK}")
    words = ["cmd=", "init", "put", "get", "barrier_in", "finalize", "abort", "mcmd=spawn", "endcmd", "key=", "value=",
             "kvsname=", "pmi_version=1", "exitcode=", " ", "  ", "=", "\n", "\n", "\0", "\xff", "9" * 30, "x" * 700,
             "totspawns=-1\n", "spawnssofar=99999999999\n", "cmd=init pmi_version=1 pmi_subversion=1\n",
             "cmd=get_my_kvsname\n", "cmd=barrier_in\n", "cmd=get key=PMI_process_mapping\n"]
    wire.settimeout(0.05)
    try:
        for _ in range(dice.randrange(1, 40)):
            send("".join(dice.choices(words, k=dice.randrange(1, 8))).encode("latin-1"))
            if dice.random() < 0.5:
                wire.recv(4096)
    except OSError:
        pass
    sys.exit(dice.choice((0, 0, 0, 3)))


globals()[sys.argv[1]](*sys.argv[2:])
