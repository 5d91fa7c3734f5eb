#!/usr/bin/env python3
"""Writes crates/cli/order.txt, the order in which the linker places the functions of the program.

    python3 tools/order.py

Runs every example of the guide with callgrind (needs valgrind and nm; takes some minutes), and lists the
functions that were called: first those of most commands, then command by command, the frequent ones
first. The names contain hashes that depend on the compiler: write the file again after a new version of
Rust, and after larger changes to the program.
"""

import collections
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDER = ROOT / "crates/cli/order.txt"
PROGRAM = ROOT / "target/release/gametree"
# The commands whose start matters: scripts run them many times. Functions that several of them call are placed
# with the first.
COMMANDS = ["query", "solve", "show", "stats", "convert"]


def main():
    build_with_symbols()
    with tempfile.TemporaryDirectory() as folder:
        run_guide(pathlib.Path(folder))
        names = sorted_by_use(addresses(), pathlib.Path(folder) / "calls")
    ORDER.write_text("\n".join(names) + "\n")
    print(f"{len(names)} functions in {ORDER.relative_to(ROOT)}")


def build_with_symbols():
    command = "cargo rustc --release --package gametree --bin gametree -- -C strip=none"
    subprocess.run(shlex.split(command), cwd=ROOT, check=True)


def run_guide(folder):
    """Runs the examples where `gametree` is a script that counts the calls of the program."""
    calls = folder / "calls"
    calls.mkdir()
    wrapper = folder / "gametree"
    wrapper.write_text(
        "#!/bin/sh\n"
        f"exec valgrind -q --tool=callgrind --demangle=no --compress-strings=no"
        f' --callgrind-out-file={calls}/$1.%p {PROGRAM} "$@" 2>/dev/null\n'
    )
    wrapper.chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    for page in sorted(ROOT.glob("docs/*.md")):
        place = folder / page.stem
        for samples in ["examples", "testdata"]:
            shutil.copytree(ROOT / samples, place / samples)
        for command in examples(page):
            print(command, flush=True)
            subprocess.run(
                command, shell=True, cwd=place, env=os.environ | {"PATH": path}, stdout=subprocess.DEVNULL
            )


def examples(page):
    """The commands of its `console` blocks."""
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(), re.M | re.S):
        yield from re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.M)


def addresses():
    """Where each function lies now."""
    output = subprocess.run(["nm", PROGRAM], capture_output=True, text=True, check=True).stdout
    fields = (line.split() for line in output.splitlines())
    return {f[2]: int(f[0], 16) for f in fields if len(f) == 3 and f[1] in "tTwWi"}


def sorted_by_use(address, calls):
    runs = collections.defaultdict(list)
    for path in sorted(calls.iterdir()):
        runs[path.name.split(".")[0]].append(called(path) & address.keys())
    uses = collections.Counter(name for sets in runs.values() for names in sets for name in names)
    total = sum(map(len, runs.values()))
    order = [name for name in uses if uses[name] * 2 > total]
    order.sort(key=address.get)
    placed = set(order)
    for command in COMMANDS:
        uses = collections.Counter(name for names in runs[command] for name in names - placed)
        order += sorted(uses, key=lambda name: (share(uses[name], len(runs[command])), address[name]))
        placed |= uses.keys()
    return order


def share(uses, runs):
    """0 for what most runs call, 1 for what some do, 2 for the rest."""
    return 0 if uses * 2 > runs else 1 if uses * 10 > runs else 2


def called(path):
    """The names of the functions in a file of callgrind."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        found = (re.match(r"c?fn=(.*?)('\d+)?$", line) for line in lines)
        return {match[1] for match in found if match}


if __name__ == "__main__":
    main()
