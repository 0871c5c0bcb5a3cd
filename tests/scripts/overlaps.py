#!/usr/bin/env python3
"""overlaps.py FILE.svg...: prints the texts of gnuplot's pictures that lie over each other, each pair on a line.

A text has the box of its font size and of 0.55 times that for a character. One text that is drawn twice at one place
is one text. Fails if no text is found, as then the pictures are of another kind."""
import re
import sys

TEXT = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)(?: rotate\(([-\d.]+)\))?"[^>]*font-size="([\d.]+)"'
                  r'[^>]*text-anchor="(\w+)"[^>]*>\s*<text>(.*?)</text>', re.S)


def boxes(svg):
    """Yields (left, top, right, bottom, text) of each text."""
    for x, y, turned, size, anchor, inner in TEXT.findall(svg):
        text = re.sub(r"<[^>]*>|&\w+;", lambda part: "" if part[0][0] == "<" else "x", inner).strip()
        x, y, height, width = float(x), float(y), 0.75 * float(size), 0.55 * float(size) * len(text)
        before = {"start": 0, "middle": width / 2, "end": width}[anchor]
        if not text:
            continue
        if turned and float(turned):
            yield x - height, y - width + before, x, y + before, text
        else:
            yield x - before, y - height, x - before + width, y, text


def main():
    any_text = False
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            found = sorted(set(boxes(file.read())))
        any_text = any_text or bool(found)
        for i, a in enumerate(found):
            for b in found[:i]:
                if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                    print(f"{name}: '{a[4]}' over '{b[4]}'")
    return 0 if any_text else 1


sys.exit(main())
