#!/usr/bin/env python3
r"""transcripts.py [--bless] FILE...: runs the examples of text and Markdown files and compares what they print.

  $ ./ecube run -a drect
  ecube: --algorithm: 'drect' is not allowed; ...
  [2]

A line that begins with "$ " is a command; the lines up to the next command or the end of the block are what it prints,
standard output and error together. Commands run with `sh -c` in the top of the tree, which comes first in PATH, with an
empty standard input.

- A last line "[N]" is the exit code N; without it the code must be 0.
- A line that is exactly "..." stands for any number of lines, also none.
- Empty lines at the end of the expected and of the actual output do not count.
- In a .md file only blocks fenced with ```console count, also those that are indented, in lists; and those fenced with
  ```console long, which take seconds, only where ECUBE_TESTS is "all", as in make check-all. In a manual page (.1) only
  those between .EX and .EE, with roff's escapes for - ' and \ undone. Every other file is one block, in which a line
  that begins with "#" and comes first, or after an empty line or after another such line, is a comment and ends a
  command's output. A comment that begins with "# long: " is as ```console long: for the commands up to the next
  comment; as the first line of a file, for all its commands.

Prints every mismatch with its place and goes on; the last line is "N passed, N failed". Exit code 1 if any failed, or if
a file has no command at all.

With --bless it writes what each command has printed into the file, in place of what was expected: for a difference
that is meant, and is read afterwards. Of an example with one "...", as many lines as before stay on either side of it;
one with several is left as it is, and fails. Where CI is set, nothing is blessed."""
import contextlib
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
SHORT = os.environ.get("ECUBE_TESTS") != "all"
BLOCKS = {".md": (r" *```console[ \t]*$" if SHORT else r" *```console( long)?[ \t]*$", "```"), ".1": (r"\.EX$", r"\.EE$")}
LONG = "# long: "
ROFF = (("\\-", "-"), ("\\(aq", "'"), ("\\e", "\\"))    # undone in this order, done in the other
OTHERS = r"build/(cli|ecube|figures|fresh-debian|fuzz|mpicc.*|tests)"    # what several files use


class Case:
    """A command in a file; without one, a line that belongs to no command."""

    def __init__(self, number, command, indent=""):
        self.number, self.command, self.indent = number, command, indent
        self.expected = []


def cases_in(lines, suffix):
    """Returns the cases of a file, those that are long only where all tests run."""
    begin, end = BLOCKS.get(suffix, (None, None))
    cases, case, indent = [], None, ""
    inside = fresh = begin is None
    whole = left = comment = False
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if not inside:
            inside = re.match(begin, line) is not None
            indent = line[:len(line) - len(line.lstrip(" "))]
            continue
        line = line.removeprefix(indent)
        if begin is not None and re.match(end, line):
            inside, case = False, None
            continue
        if begin is None and fresh and line.startswith("#"):
            whole = whole or (number == 1 and SHORT and line.startswith(LONG))
            if not comment:
                left = whole or (SHORT and line.startswith(LONG))
            case, comment = None, True
            continue
        comment, fresh = False, line == ""
        if left:
            continue
        for escaped, plain in ROFF if suffix == ".1" else ():
            line = line.replace(escaped, plain)
        if line.startswith("$ ") and line[2:]:
            case = Case(number, line[2:], indent)
            cases.append(case)
        elif case:
            case.expected.append(line)
        elif line:
            cases.append(Case(number, None))
            cases[-1].expected.append(line)
    return cases


def without_end(lines):
    """Returns the lines without the empty ones at their end; at least one."""
    n = len(lines)
    while n > 1 and lines[n - 1] == "":
        n -= 1
    return lines[:n] or [""]


def matches(expected, got):
    """Returns whether lines are as expected. On a mismatch the last "..." takes one line more."""
    e = a = 0
    star = taken = None
    while a < len(got):
        if e < len(expected) and expected[e] == "...":
            star, taken, e = e, a, e + 1
        elif e < len(expected) and expected[e] == got[a]:
            e, a = e + 1, a + 1
        elif star is not None:
            taken += 1
            e, a = star + 1, taken
        else:
            return False
    return all(line == "..." for line in expected[e:])


def run(command):
    """Runs a command. Returns the lines that it has printed, and "[N]" for an exit code that is not 0."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("ECUBE_DATA", "PREFIX", "DESTDIR", "LANG", "LANGUAGE")}
    environment["LC_ALL"] = "C"     # what is pinned depends on nobody's locale
    environment["PATH"] = f"{TOP}:{environment['PATH']}"
    with tempfile.TemporaryFile() as file:
        code = subprocess.run(["sh", "-c", command.encode(errors="surrogateescape")], cwd=TOP, env=environment, check=False,
                              stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT).returncode
        file.seek(0)
        text = file.read().decode(errors="surrogateescape")
    lines = without_end(text.removesuffix("\n").split("\n"))
    if code != 0:
        lines = (lines if text else []) + [f"[{code if code > 0 else 128 - code}]"]
    return lines


def blessed(case, expected, got, suffix):
    """Returns the lines that are to stand behind a command; None if several "..." do not say which they stand for."""
    got = [] if got == [""] else got
    stars = expected.count("...")
    head = expected.index("...") if stars else len(got)
    tail = len(expected) - head - 1 if stars else 0
    if stars > 1 or head + tail > len(got):
        return None
    lines = got[:head] + ["..."] * stars + got[len(got) - tail:]
    for escaped, plain in reversed(ROFF) if suffix == ".1" else ():
        lines = [line.replace(plain, escaped) for line in lines]
    return [case.indent + line if line else "" for line in lines]


def clean_up_for(text):
    """Removes what an earlier run of a file has left in build/; what other files use as well stays."""
    for name in set(re.findall(r"build/[a-zA-Z0-9_.-]*[a-zA-Z0-9]", text)):
        if not re.fullmatch(OTHERS, name):
            for path in [TOP / name, *(TOP / name).parent.glob(f"{(TOP / name).name}-[0-9]*")]:
                with contextlib.suppress(OSError):
                    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def run_file(path, bless):
    """Runs the cases of a file. Returns how many passed, and how many failed."""
    try:
        text = path.read_bytes().decode(errors="surrogateescape")
    except OSError as error:
        print(f"{path}: {error.strerror}")
        return 0, 1
    lines = text.split("\n")
    clean_up_for(text)
    cases, passed, edits = cases_in(lines, path.suffix), 0, []
    if not cases and not (SHORT and re.search(f"^( *```console long|{LONG})", text, re.M)):
        print(f"{path}: has no command to run")
        return 0, 1
    for case in cases:
        if case.command is None:
            print(f"{path}:{case.number}: belongs to no command: {case.expected[0]}", flush=True)
            continue
        expected, got = without_end(case.expected), run(case.command)
        new = None
        if not matches(expected, got):
            new = blessed(case, expected, got, path.suffix) if bless else None
            print(f"{path}:{case.number}:{' blessed:' if new is not None else ''} $ {case.command}", flush=True)
            if new is None:
                print(*list(difflib.unified_diff(expected, got, lineterm=""))[2:], sep="\n", flush=True)
                continue
            edits.append((case.number, 0 if expected == [""] else len(expected), new))
        passed += 1
    if edits:
        for number, before, new in reversed(edits):
            lines[number:number + before] = new
        path.write_bytes("\n".join(lines).encode(errors="surrogateescape"))
    return passed, len(cases) - passed


def main(arguments):
    bless = arguments[:1] == ["--bless"]
    files = arguments[bless:]
    if not files or files[0].startswith("-"):
        sys.exit("usage: tests/scripts/transcripts.py [--bless] FILE...")
    if bless and os.environ.get("CI"):
        sys.exit("tests/scripts/transcripts.py: --bless is for people: CI is set")
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    passed, failed = (sum(counts) for counts in zip(*(run_file(pathlib.Path(file), bless) for file in files)))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(1)
