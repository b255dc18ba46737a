# SPDX-License-Identifier: BSD-3-Clause
#
# What is compared: the present state with the one of a commit, or one build with itself under other settings. Reads
# what was asked for, and builds and installs what is lacking. A mistake is a Mistake, with one line that says it.

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from net_bench import Library

SETTING = re.compile(r"[A-Z][A-Z0-9_]*")
LONGEST_NAME = 40
OWN = ("SHEAF_", "SHMEM_", "UCX_", "FI_")


class Mistake(Exception):
    pass


class Options:
    """What the environment asks for."""

    def __init__(self, environment):
        self.base = environment.get("BASE", "").strip()
        self.variants = parse_variants(environment.get("VARIANTS", ""))
        if bool(self.base) == bool(self.variants):
            raise Mistake("one of BASE=commit and VARIANTS=\"name=value,...;name=value\" says what to compare with")
        self.rounds = int(number(environment, "ROUNDS", 12, r"[1-9]\d{0,3}"))
        self.minutes = float(number(environment, "MINUTES", 11.5, r"\d{1,4}(\.\d+)?"))
        self.only, self.rows = pattern(environment, "ONLY"), pattern(environment, "ROWS")
        self.sizes = number(environment, "SIZES", "", r"\d+(,\d+)*")


def number(environment, name, standard, form):
    text = environment.get(name, "").strip()
    if text and not re.fullmatch(form, text):
        raise Mistake(f"{name}={text}: expected {'bytes, such as 8,4096' if name == 'SIZES' else 'a number above 0'}")
    return text or standard


def pattern(environment, name):
    try:
        return re.compile(environment.get(name) or ".")
    except re.error as reason:
        raise Mistake(f"{name}={environment[name]}: no regular expression: {reason}") from None


def parse_variants(text):
    """[(as written, environment)]: names in lower case are SHEAF_PACE's, others variables of the environment."""
    written = [part.strip() for part in text.split(";")] if text.strip() else []
    if len(set(written)) < len(written):
        raise Mistake("VARIANTS: the same variant twice")
    return [(part, parse_variant(part)) for part in written]


def split_settings(text):
    """At commas, but for those within a variable's value: SHEAF_ENGINE=ucx,ofi is one."""
    settings = []
    for part in text.split(","):
        if settings and "=" not in part and SETTING.fullmatch(settings[-1].partition("=")[0].strip()):
            settings[-1] += "," + part
        else:
            settings.append(part)
    return settings


def parse_variant(text):
    environment, pace, names = {}, [], set()
    for setting in split_settings(text):
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not (name and equals and value) or name in names:
            raise Mistake(f"VARIANTS: \"{text}\": {f'{name} twice' if name in names else 'expected name=value,name=value'}")
        names.add(name)
        if not SETTING.fullmatch(name):
            pace.append(f"{name}={value}")
        elif name.startswith(OWN) and name != "SHEAF_PACE":
            environment[name] = value
        else:
            raise Mistake(f"VARIANTS: \"{name}\" is neither a constant of oshinfo --pace nor a variable SHEAF_..., SHMEM_..., UCX_..., FI_...")
    return {**environment, "SHEAF_PACE": ",".join(pace)} if pace else environment


def said(command, **options):
    """What a command prints; its last line is the mistake where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
        raise Mistake(f"{shlex.join(map(str, command[:4]))}: {lines[-1]}")
    return done.stdout


def check_variant(build, settings):
    said([build / "bin/oshinfo", "--pace"], env={**os.environ, **settings})


def install(build, place):
    """A snapshot: what is edited or built meanwhile changes nothing, and both sides lie alike."""
    said(["cmake", "--install", build, "--prefix", place])


def commit_of(source, name):
    return said(["git", "-C", source, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]).strip()


def build_commit(source, commit, place):
    """Into a folder of its own, which goes again; what it installs is kept under the commit's name."""
    with tempfile.TemporaryDirectory(prefix="sheaf-base-") as folder:
        tree = pathlib.Path(folder, "tree")
        try:
            said(["git", "-C", source, "worktree", "add", "--quiet", "--detach", tree, commit])
            said(["cmake", "--preset", "release"], cwd=tree)
            said(["cmake", "--build", "--preset", "release", "--target", "product"], cwd=tree)
            install(tree / "build", pathlib.Path(folder, "installed"))
        finally:
            subprocess.run(["git", "-C", source, "worktree", "remove", "--force", tree], capture_output=True)
        shutil.move(pathlib.Path(folder, "installed"), place)


def library(name, place, environment=None):
    return Library(name, shlex.quote(f"{place}/bin/oshcc"), environment=environment)


def named(variants):
    """As they are written, where that is no longer than a column or a folder's name may be."""
    for number, (text, settings) in enumerate(variants, 1):
        if len(text) > LONGEST_NAME:
            print(f"bench-net: variant {number} is {text}")
        yield (text if len(text) <= LONGEST_NAME else f"variant {number}"), settings


def make_sides(options, source, build, output):
    """Libraries, the one to compare with first."""
    now = output / "now"
    shutil.rmtree(now, ignore_errors=True)
    install(build, now)
    if options.variants:
        for _, settings in options.variants:
            check_variant(build, settings)
        return [library("as it is", now)] + [library(name, now, settings) for name, settings in named(options.variants)]
    try:
        commit = commit_of(source, options.base)
    except Mistake:
        raise Mistake(f"BASE={options.base}: no commit of {source}") from None
    place = output / f"base-{commit[:12]}"
    if not place.exists():
        print(f"bench-net: building {commit[:12]}", flush=True)
        build_commit(source, commit, place)
    return [library(commit[:12], place), library("now", now)]
