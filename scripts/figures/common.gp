# What the figures share beyond those of ecube itself. A script sets `folder`, `format` (svg or png), `name` and `width`,
# `height` before it loads this, and reads and writes FOLDER/*.csv and FOLDER/NAME.FORMAT.

load 'sim/show/figures/common.gp'
set output folder . '/' . name . '.' . format
set datafile separator comma
set datafile columnheaders

# Colours of curves in an order, from light to dark as what they stand for grows.
array shades[6] = [0xFDBB84, 0xFC8D59, 0xE34A33, 0xB30000, 0x6B0000, 0x000000]

after(s, t) = strstrt(s, t) ? s[strstrt(s, t) + strlen(t):*] : ''
before(s, t) = strstrt(s, t) ? s[1:strstrt(s, t) - 1] : s
cell(line, k) = k == 1 ? before(line, ',') : cell(after(line, ','), k - 1)

# Column k of a CSV line, a partition, quoted or not, when the line is read with separator '"': as strcol(1) and, if it is
# quoted, strcol(2). Of a quoted cell gnuplot's own reader keeps only what is before the first comma.
partition_of(k, head, quoted) = head[strlen(head):*] eq ',' ? quoted : cell(head, k)

# Parts of "2,3,3": how many, the first and the last.
n_parts(p) = strlen(p) == 0 ? 0 : 1 + n_parts(after(p, ','))
first_part(p) = int(before(p, ','))
last_part(p) = strstrt(p, ',') ? last_part(after(p, ',')) : int(p)

# Of the records of ecube sweep, the time in ms where the text `want` occurs in the line of columns that says what was run
# ("|sbt|one|..."); elsewhere nothing.
run_of(dummy) = '|' . strcol('algorithm') . '|' . strcol('ports') . '|' . strcol('overrides') . '|'
time_of(want, column_name) = strstrt(run_of(0), want) ? column(column_name) / 1000 : NaN
