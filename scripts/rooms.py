#!/usr/bin/env python3
"""rooms.py BUILD: fails if the program's files break the rules of its rooms, and prints what does. BUILD is the folder in
which all is compiled: what a file includes stands in its .d there.

- A file includes, directly or through other headers, what lies in its own room or further down.
- A module is a .c and its .h. None needs itself, however far round.
- A schedule sees no machine.
- Each .c has a header of its name, but the programs' beginnings and what registers itself.
- No file of code has more than 800 lines."""
import graphlib
import pathlib
import re
import sys

# The rooms from the ground up; those of one line do not see each other.
FLOORS = """sim/text
sim/cube
sim/machine
models
sim/schedule sim/lib
sim/patterns
sim/replay
sim/engine sim/agenda
sim/run
sim/sweep
sim/mpi sim/preload sim/show
sim/fit
sim/commands""".splitlines()
FLOOR = {room: height for height, rooms in enumerate(FLOORS) for room in rooms.split()}
HEADLESS = r"sim/(main|mpi/main|lib/library)\.c|sim/(preload|commands|patterns)/.*"
LINES_MAX = 800


def room_of(path):
    found = re.match(r"(sim/[a-z]+|models)/", path)
    return found.group(1) if found else None


def headers_of(source, build):
    """Returns the headers that the compiler has read; none where the file was not compiled (no MPI)."""
    depends = build / source.replace(".c", ".d")
    return set(re.findall(r"(\S+\.h)\b(?!:)", depends.read_text())) if depends.exists() else set()


def modules_needed(path):
    for name in re.findall(r'^#include "(.*)\.h"$', pathlib.Path(path).read_text(), re.M):
        yield name if "/" in name else str(pathlib.Path(path).parent / name)


def faults(build):
    program = [str(path) for folder in ("models", "sim") for path in sorted(pathlib.Path(folder).rglob("*.[ch]"))]
    needs = {}
    for path in program:
        module = path[:-2]
        needs.setdefault(module, set()).update(set(modules_needed(path)) - {module})
        if not path.endswith(".c"):
            continue
        headers = headers_of(path, build)
        room = room_of(path)
        for other in sorted({room_of(header) for header in headers} - {None, room}) if room else ():
            if FLOOR[other] >= FLOOR[room]:
                yield f"{path} includes something of {other}"
        makes_schedules = re.match(r"sim/schedule/|sim/patterns/.*/(?!(pattern|theory)\.c)", path)
        if makes_schedules and "sim/machine/machine.h" in headers:
            yield f"{path} makes schedules and sees a machine"
        if not re.fullmatch(HEADLESS, path) and module + ".h" not in program:
            yield f"{path} has no header"
    try:
        graphlib.TopologicalSorter(needs).prepare()
    except graphlib.CycleError as circle:
        yield "modules need each other: " + " ".join(circle.args[1])
    for path in program + [str(path) for path in pathlib.Path("tests").rglob("*.[ch]")]:
        if pathlib.Path(path).read_text().count("\n") > LINES_MAX:
            yield f"{path} has more than {LINES_MAX} lines"


def main():
    found = list(faults(pathlib.Path(sys.argv[1])))
    for fault in found:
        print(f"rooms: {fault}", file=sys.stderr)
    sys.exit(bool(found))


main()
