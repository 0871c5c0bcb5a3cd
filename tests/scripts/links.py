#!/usr/bin/env python3
"""links.py PAGE...: whether the links of Markdown pages lead anywhere: to a file, and to a heading of a page where one is
named. Links to other sites and what stands in blocks of code are left alone. In a list of what to read (a row of a table
with a number, a file and a function of it) file and function must be there. A code span ends on its line, because it is
pasted. Prints every fault with its place; exit code 1 if there is one."""
import functools
import pathlib
import re
import sys


def prose(text):
    """Yields (number, line) of the lines outside of blocks of code."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip(" ").startswith("```"):
            code = not code
        elif not code:
            yield number, line


@functools.lru_cache(maxsize=None)
def anchors(path):
    """Returns the names by which links know the headings of a page."""
    titles = [re.sub("^#+ +", "", line) for _, line in prose(path.read_text()) if re.match("#+ +", line)]
    return {re.sub("[^a-z0-9 _-]", "", title.lower()).replace(" ", "-") for title in titles}


def leads(page, target):
    if target.startswith(("http://", "https://")):
        return True
    name, _, anchor = target.partition("#")
    path = page.parent / name if name else page
    return path.exists() and (not anchor or anchor in anchors(path))


def has_function(path, function):
    return path.is_file() and re.search(rf"^[a-zA-Z].*[ *]{re.escape(function)}\(", path.read_text(), re.M)


def faults(page):
    text = page.read_text()
    for number, line in prose(text):
        if line.count("`") % 2:
            yield f"{page}:{number}: a code span goes over the end of a line"
        for target in re.findall(r"\]\(([^)]*)\)", re.sub(r"`[^`]*`", "", line)):
            if not leads(page, target):
                yield f"{page}:{number}: a link leads nowhere: {target}"
    if not any(page.parent.rglob("*.c")):       # where it is installed
        return
    for number, line in enumerate(text.splitlines(), 1):
        row = re.match(r"\| [0-9]+ \| `([^`]*)`[ |(]*`([^`(]*)", line)
        if row and not has_function(page.parent / row.group(1), row.group(2)):
            yield f"{page}:{number}: there is no {row.group(2)}() in {row.group(1)}"


def main():
    found = [fault for page in sys.argv[1:] for fault in faults(pathlib.Path(page))]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))


main()
