#!/usr/bin/env python3
"""mutants.py ROOM [COUNT [SEED]]: which changes of an operator in a folder of the program the tests do not notice.

ROOM is a folder with sources, models or sim/fit, say. In a copy of the tree, build/mutants, one binary operator at a
time is replaced: < by <=, + by -, && by ||, and so on; COUNT of them (default: 20), drawn by SEED (1). Then tests run
until one fails: those that execute the line, first the one that noticed the last change, then the suites of the room,
then by how long they take. A test that does not end has failed. Memory is not zero where nothing has been written
(MALLOC_PERTURB_), but for the suite of estimates of memory. Prints a line for each change that lived, and how many were
noticed; exit code 1 if fewer than nine in ten were. A change of which the compiler makes the same code does not count.
No test can notice a change that means the same, as of how a tie is broken.

Tests are all suites and pages that pass within two minutes. Which lines they execute is measured with gcc's
--coverage, which takes about ten minutes of a processor; what only a run's own process executes is not seen, and then
all tests run. It is kept in build/mutants/lines.json: of a test until it changes, of all until the program does."""
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
TREE = TOP / "build/mutants"
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
         "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+="}
OPERATOR = re.compile(r"(?<=[\w)\]] )(" + "|".join(re.escape(op) for op in sorted(OTHER, key=len, reverse=True)) + r")(?= )")
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])+\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
SECONDS = 120
LINKER = "LDFLAGS=" + ("-fuse-ld=lld" if shutil.which("ld.lld") else "")


def places(path):
    """Yields (offset, operator) of each binary operator in the code of a file."""
    code = NO_CODE.sub(lambda part: re.sub(r"[^\n]", " ", part[0]), path.read_text(encoding="utf-8"))
    for found in OPERATOR.finditer(code):
        line = code[code.rfind("\n", 0, found.start()) + 1:found.start()]
        if "assert" not in line:
            yield found.start(), found[0]


def copy_tree():
    """Makes the copy one of what git knows of. What is equal keeps its date, so that only changes are compiled."""
    names = subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=True).stdout.split()
    for folder in ("sim", "models", "tests"):
        for path in (TREE / folder).rglob("*.[ch]"):
            if str(path.relative_to(TREE)) not in names:
                path.unlink()
    for name in names:
        old = TREE / name
        old.parent.mkdir(parents=True, exist_ok=True)
        if not old.exists() or old.read_bytes() != (TOP / name).read_bytes():
            shutil.copy(TOP / name, old)


def make(*goals, build="build", flags="-O1"):
    """Returns whether the goals can be made. That ./ecube is of the same build, its date does not say."""
    (TREE / "ecube").unlink(missing_ok=True)
    return subprocess.run(["make", "-s", f"BUILD={build}", f"CFLAGS={flags}", LINKER, *goals], cwd=TREE, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def passes(command, seconds, binary="build/tests/tests"):
    """Returns whether a test passes, in time and with 16 GB of address space. A page's first mismatch ends it."""
    perturb = "" if command.endswith(" estimate") else "MALLOC_PERTURB_=90 "  # that suite counts the memory touched
    command = command.replace("build/tests/tests", binary)
    limited = f"ulimit -v 16000000 -t {seconds}; {perturb}exec timeout {10 * seconds} {command}"
    with subprocess.Popen(["sh", "-c", limited], cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, start_new_session=True) as process:
        for line in process.stdout:
            if is_page(command) and b" passed, " not in line:
                os.killpg(process.pid, signal.SIGTERM)    # the page removes its folder
                break
    return process.returncode == 0


def is_page(command):
    return "transcripts.py" in command


def all_tests():
    """Returns a command for each suite and each page, with the file that it is of."""
    apart = re.search(r"^APART := (.*)", (TREE / "Makefile").read_text(), re.M)[1].split()
    tests = {}
    for path in sorted(TREE.glob("tests/*/test_*.c")):
        name = path.stem[5:]
        tests[f"env CK_FORK={'yes' if name in apart else 'no'} build/tests/tests {name}"] = path
    for path in sorted([*TREE.glob("tests/cli/*.txt"), *TREE.glob("*/*.md"), *TREE.glob("sim/*/*.md"),
                        TREE / "sim/commands/ecube.1"]):
        tests[f"tests/scripts/transcripts.py {path.relative_to(TREE)}"] = path
    return tests


def executed_lines():
    """Returns {file: lines} of what has run since the last call. A line without code goes with the one above it."""
    data = [str(path) for path in (TREE / "build/coverage").rglob("*.gcda")]
    if not data:
        return {}
    said = subprocess.run(["gcov", "--json-format", "--stdout", *data], cwd=TREE, capture_output=True, check=True).stdout
    lines = {}
    for file in (file for part in said.splitlines() for file in json.loads(part)["files"]):
        counts = {}
        for line in file["lines"]:
            counts[line["line_number"]] = counts.get(line["line_number"], 0) + line["count"]
        numbers = sorted(counts)
        for number, after in zip(numbers, numbers[1:] + [0]):
            if counts[number] and re.match(r"(sim|models)/.*[.]c$", file["file"]):
                lines.setdefault(file["file"], []).extend(range(number, max(after, number + 1)))
    for path in data:
        os.unlink(path)
    return lines


def measured():
    """Returns {test: what it takes, and which lines it executes} of the tests that pass."""
    kept = TREE / "lines.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    program = hashlib.sha256()
    for path in sorted([*(TREE / "sim").rglob("*.[ch]"), *(TREE / "models").rglob("*.[ch]")]):
        program.update(path.read_bytes())
    marks = {test: hashlib.sha256(program.digest() + path.read_bytes()).hexdigest()
             for test, path in all_tests().items()}
    missing = [test for test, mark in marks.items() if known.get(test, {}).get("mark") != mark]
    if missing:
        if not make("ecube", "build/coverage/tests/tests", build="build/coverage", flags="-O1 --coverage"):
            sys.exit(f"{sys.argv[0]}: the tree cannot be built with --coverage")
        executed_lines()
    for test in missing:
        begin = time.monotonic()
        passed = passes(test, SECONDS, "build/coverage/tests/tests")
        seconds = time.monotonic() - begin
        known[test] = {"mark": marks[test], "passes": passed, "seconds": seconds, "lines": executed_lines()}
        if not passed:
            print(f"left out, as it fails: {test}", flush=True)
        kept.write_text(json.dumps(known))
    return {test: known[test] for test in marks if known[test]["passes"]}


def is_noticed(tests, seconds):
    """Returns the first of the tests that fails with the program as it is now, or None. They took so many seconds."""
    for pages, goal in ((False, "build/tests/tests"), (True, "ecube")):
        some = [test for test in tests if is_page(test) == pages]
        if some and make(goal):
            for test in some:
                if not passes(test, 10 + 5 * int(seconds[test])):
                    return test
    return None


def main():
    if len(sys.argv) not in (2, 3, 4) or not (TOP / sys.argv[1]).is_dir():
        sys.exit(__doc__)
    room, count, seed = (sys.argv[1:] + ["20", "1"][len(sys.argv) - 2:])[:3]
    copy_tree()
    tests = measured()
    if not make("ecube", "build/tests/tests"):
        sys.exit(f"{sys.argv[0]}: the tree cannot be built")
    own = {path.stem[5:] for path in TREE.glob(f"tests/{pathlib.Path(room).name}/test_*.c")}
    sites = [(path, *place) for path in sorted((TREE / room).rglob("*.c")) for place in places(path)]
    sites = [site for site in sites if (TREE / "build" / site[0].relative_to(TREE).with_suffix(".o")).exists()]
    if not sites:
        sys.exit(f"{sys.argv[0]}: {room} has no operators in what is built here; sim/mpi and sim/preload need an MPI")
    random.Random(int(seed)).shuffle(sites)
    noticed = tried = 0
    last = None
    for path, offset, operator in sites:
        if tried == int(count):
            break
        text, name = path.read_text(encoding="utf-8"), str(path.relative_to(TREE))
        number, start = text.count("\n", 0, offset) + 1, text.rfind("\n", 0, offset) + 1
        reached = sorted([test for test in tests if number in tests[test]["lines"].get(name, [])] or tests,
                         key=lambda test: (test != last, test.split()[-1] not in own, tests[test]["seconds"]))
        compiled = TREE / "build" / pathlib.Path(name).with_suffix(".o")
        right = compiled.read_bytes()
        path.write_text(text[:offset] + OTHER[operator] + text[offset + len(operator):], encoding="utf-8")
        if make(str(compiled.relative_to(TREE))) and compiled.read_bytes() != right:
            tried += 1
            found = is_noticed(reached, {test: tests[test]["seconds"] for test in reached})
            noticed += found is not None
            last = found or last
            if found is None:
                line = text[start:text.find("\n", offset)].strip()
                print(f"{name}:{number}: {operator} as {OTHER[operator]} lives: {line}", flush=True)
        path.write_text(text, encoding="utf-8")
        compiled.write_bytes(right)
    print(f"{room}: {noticed} of {tried} noticed")
    sys.exit(noticed * 10 < tried * 9)


if __name__ == "__main__":
    main()
