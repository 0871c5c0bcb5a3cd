#!/usr/bin/env python3
"""mutants.py ROOM [COUNT [SEED]]: which changes of an operator in a folder of the program the tests do not notice.

ROOM is a folder with sources, models or sim/fit, say. In a copy of the tree, build/mutants, one binary operator at a time
is replaced: < by <=, + by -, && by ||, and so on; COUNT of them (default: 20), drawn by SEED (1). Then tests run until one
fails: the suites of tests/ that have the folder's name, all other suites, and the transcripts of tests/cli and of some
pages. A test that does not end has failed. Prints a line for each change that lived, and how many were noticed; exit code 1
if fewer than nine in ten were. No test can notice a change that means the same, as of how a tie is broken."""
import pathlib
import random
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
         "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+="}
OPERATOR = re.compile(r"(?<=[\w)\]] )(" + "|".join(re.escape(op) for op in sorted(OTHER, key=len, reverse=True)) + r")(?= )")
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])+\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
SECONDS = "120"


def places(path):
    """Yields (offset, operator) of each binary operator in the code of a file."""
    code = NO_CODE.sub(lambda part: re.sub(r"[^\n]", " ", part[0]), path.read_text(encoding="utf-8"))
    for found in OPERATOR.finditer(code):
        line = code[code.rfind("\n", 0, found.start()) + 1:found.start()]
        if "assert" not in line:
            yield found.start(), found[0]


def copy_tree(tree):
    """Makes a folder a copy of what git knows of. What is equal keeps its date, so that only changes are compiled."""
    names = subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=True).stdout.split()
    for folder in ("sim", "models", "tests"):
        for path in (tree / folder).rglob("*.[ch]"):
            if str(path.relative_to(tree)) not in names:
                path.unlink()
    for name in names:
        old = tree / name
        old.parent.mkdir(parents=True, exist_ok=True)
        if not old.exists() or old.read_bytes() != (TOP / name).read_bytes():
            shutil.copy(TOP / name, old)


def run(tree, command):
    """Returns whether a command succeeds in time and with 16 GB of address space."""
    return subprocess.run(["timeout", SECONDS, "sh", "-c", f"ulimit -v 16000000; {command}"], cwd=tree,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def tests_of(tree, room):
    """Returns commands, cheap ones first, of which one should fail."""
    apart = re.search(r"^APART := (.*)", (tree / "Makefile").read_text(), re.M)[1].split()
    own = {path.stem[5:] for path in tree.glob(f"tests/{pathlib.Path(room).name}/test_*.c")}
    suites = sorted((path.stem[5:] for path in tree.glob("tests/*/test_*.c")), key=lambda name: (name not in own, name))
    pages = sorted([*tree.glob("tests/cli/*.txt"), *tree.glob("models/*.md"), tree / "sim/commands/ecube.1"])
    for name in suites:
        yield f"CK_FORK={'yes' if name in apart else 'no'} build/tests/tests {name}"
    for page in pages:
        yield f"tests/scripts/transcripts.sh {page.relative_to(tree)}"


def main():
    if len(sys.argv) not in (2, 3, 4) or not (TOP / sys.argv[1]).is_dir():
        sys.exit(__doc__)
    room, count, seed = (sys.argv[1:] + ["20", "1"][len(sys.argv) - 2:])[:3]
    tree, build = TOP / "build/mutants", "make -s build/tests/tests ecube"
    copy_tree(tree)
    if subprocess.run(build, cwd=tree, shell=True, check=False).returncode != 0:
        sys.exit(f"{sys.argv[0]}: the tree cannot be built")
    tests = list(tests_of(tree, room))
    tests = [test for test in tests if run(tree, test) or print(f"left out, as it fails: {test}")]
    sites = [(path, *place) for path in sorted((tree / room).glob("*.c")) for place in places(path)]
    random.Random(int(seed)).shuffle(sites)
    noticed = tried = 0
    for path, offset, operator in sites:
        if tried == int(count):
            break
        text = path.read_text(encoding="utf-8")
        path.write_text(text[:offset] + OTHER[operator] + text[offset + len(operator):], encoding="utf-8")
        if run(tree, build):
            tried += 1
            failed = next((test for test in tests if not run(tree, test)), None)
            noticed += failed is not None
            if failed is None:
                number, start = text.count("\n", 0, offset) + 1, text.rfind("\n", 0, offset) + 1
                line = text[start:text.find("\n", offset)].strip()
                print(f"{path.relative_to(tree)}:{number}: {operator} as {OTHER[operator]} lives: {line}", flush=True)
        path.write_text(text, encoding="utf-8")
    print(f"{room}: {noticed} of {tried} noticed")
    sys.exit(noticed * 10 < tried * 9)


if __name__ == "__main__":
    main()
