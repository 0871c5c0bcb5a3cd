#!/usr/bin/env python3
"""scale.py [-o FILE.svg] [DIMENSION ...]: how CPU and memory grow with the messages of Direct, Multiphase and Standard.

Prints CSV: `ecube run`, and the simulation of the same schedule by LogGOPSim where it and its txt2bin are on the PATH
(tests/peers/README.md). Figures are medians of REPEATS (3) processes. Runs of more than MOST (2^25) messages are left
out. With -o it draws the CSV with gnuplot as well. Dimensions are 6, 8, ... 16 by default."""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

REPEATS, MOST = int(os.environ.get("REPEATS", 3)), int(os.environ.get("MOST", 1 << 25))
MACHINE = ["-m", "bokhari1993", "-s", "rho=0", "-b", "32"]
HAS_PEER = shutil.which("LogGOPSim") and shutil.which("txt2bin")


def parts(d):
    """Returns parts of at most 5, as even as they can be."""
    n = (d + 4) // 5
    return [d // n + (i < d % n) for i in range(n)]


PHASES = {"direct": lambda d: [d], "multiphase": parts, "standard": lambda d: [1] * d}


def options(name, d):
    phases = ["-p", ",".join(map(str, parts(d)))] if name == "multiphase" else []
    return [*MACHINE, "-d", str(d), "-a", name, *phases]


def measure(command):
    """Returns the CPU seconds and the peak megabytes of a command that must succeed."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"scale.py: '{' '.join(command)}' failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def median(command):
    return [statistics.median(column) for column in zip(*(measure(command) for _ in range(REPEATS)))]


def peer(name, d, folder):
    goal, binary = os.path.join(folder, "x.goal"), os.path.join(folder, "x.bin")
    subprocess.run(["./ecube", "export", "--format", "goal", *options(name, d), "-o", goal], check=True)
    subprocess.run(["txt2bin", "-i", goal, "-o", binary], check=True, stdout=subprocess.DEVNULL)
    os.remove(goal)
    return median(["LogGOPSim", "-f", binary, "-L", "110000", "-o", "0", "-g", "0", "-G", "2000", "-O", "0",
                   "-S", "1000000000"])


def rows(dimensions):
    for name, phases in PHASES.items():
        for d in dimensions:
            messages = sum(2**part - 1 for part in phases(d)) << d
            if messages > MOST:
                continue
            yield "ecube", name, d, messages, *median(["./ecube", "run", *options(name, d)])
            if HAS_PEER:
                with tempfile.TemporaryDirectory() as folder:
                    yield "LogGOPSim", name, d, messages, *peer(name, d, folder)


def draw(table, path):
    curves = {}
    for program, name, _, messages, seconds, megabytes in table:
        curves.setdefault((program, name), []).append(f"{messages} {seconds} {megabytes}")
    blocks = "".join(f"$c{i} << E\n" + "\n".join(points) + "\nE\n" for i, points in enumerate(curves.values()))

    algorithms = list(PHASES)

    def plot(column):
        return "plot " + ", ".join(
            f"$c{i} using 1:{column} with linespoints linetype {1 + algorithms.index(name)} "
            f"dashtype {1 if program == 'ecube' else 2} title '{program}, {name}'"
            for i, (program, name) in enumerate(curves)) + "\n"
    subprocess.run(["gnuplot"], text=True, check=True, input=f"""{blocks}
set terminal svg size 1000,430 font 'sans,13'
set output '{path}'
set multiplot layout 1,2
set logscale xy
set format xy '10^{{%L}}'
set key top left
set grid
set xlabel 'messages'
set ylabel 'CPU seconds'
{plot(2)}
set ylabel 'MB'
{plot(3)}""")


def main(words):
    path = words[1] if words[:1] == ["-o"] else None
    dimensions = [int(d) for d in words[2 if path else 0:]] or range(6, 17, 2)
    table = []
    print("program,algorithm,dimension,messages,cpu_s,memory_mb")
    for row in rows(dimensions):
        print("%s,%s,%d,%d,%.3f,%.0f" % row, flush=True)
        table.append(row)
    if path:
        draw(table, path)


main(sys.argv[1:])
