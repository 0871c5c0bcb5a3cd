#!/usr/bin/env python3
"""language.py FRAGMENTS SHARED: fails if more than FRAGMENTS comments above functions begin with a fragment in place of a
verb, or if more than SHARED functions have a name that another file defines too. Prints those beyond the limits' counts.
The limits stand in scripts/lint.sh; they are what is left, and may only fall."""
import collections
import pathlib
import re
import sys

FRAGMENTS = set("""of the with what all a an in by from at where without if as for to both same no nobody somebody everybody who
which how why one its those that but only also and or so then there here behind before after between beyond""".split())


def functions(lines):
    """Yields (line, name) of each definition: its brace stands alone on a line, its head begins at the margin."""
    for brace, line in enumerate(lines):
        head = brace - 1
        while line == "{" and head > 0 and lines[head].startswith(" "):
            head -= 1
        name = re.search(r"\b([a-z_]\w*)\(", lines[head]) if line == "{" else None
        if name:
            yield head, name.group(1)


def first_word(lines, end):
    """Returns the first word of the comment that ends on line `end`, or ""."""
    start = end
    while start > 0 and lines[start].startswith(" *"):
        start -= 1
    words = re.findall(r"[A-Za-z]+", lines[start])
    headed = lines[start].startswith("/*") and not lines[start].startswith("/* ---") and lines[end].endswith("*/")
    return words[0].lower() if headed and words else ""


def main(most_fragments, most_shared):
    fragments, places = [], collections.defaultdict(set)
    for path in sorted(p for room in ("sim", "models") for p in pathlib.Path(room).rglob("*.c")):
        lines = path.read_text().split("\n")
        for line, name in functions(lines):
            places[name].add(str(path))
            if first_word(lines, line - 1) in FRAGMENTS:
                fragments.append(f"{path}:{line + 1}: the comment above {name}() begins with no verb")
    shared = [f"{name}() is defined in {', '.join(sorted(paths))}" for name, paths in places.items() if len(paths) > 1]
    for found, most in (fragments, most_fragments), (shared, most_shared):
        if len(found) > most:
            print("\n".join(found), f"{len(found)} of these; allowed: {most}", sep="\n")
    return len(fragments) > most_fragments or len(shared) > most_shared


sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
