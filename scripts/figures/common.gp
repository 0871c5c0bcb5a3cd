# What the figures share. A script sets `folder`, `format` (svg or png), `name` and `width`, `height` before it loads
# this, and reads and writes FOLDER/*.csv and FOLDER/NAME.FORMAT.

if (format eq 'svg') {
    set terminal svg size width, height font 'DejaVu Sans,sans-serif,12' background rgb 'white' linewidth 1.2
} else {
    set terminal pngcairo size 2 * width, 2 * height font 'DejaVu Sans,12' fontscale 1.75 linewidth 2.4 pointscale 2.3 \
        background rgb 'white'
}
set output folder . '/' . name . '.' . format
set datafile separator comma
set datafile columnheaders
set encoding utf8

# Okabe & Ito's colours, which people who confuse colours can tell apart.
black = 0x000000
orange = 0xE69F00
sky = 0x56B4E9
green = 0x009E73
yellow = 0xF0E442
blue = 0x0072B2
vermilion = 0xD55E00
purple = 0xCC79A7
grey = 0x707070

set border 3 lw 0.8
set tics out nomirror scale 0.6
set grid lt 1 lc rgb 0xE4E4E4 lw 0.6
set key samplen 3 spacing 1.15 Left reverse
set style textbox opaque noborder fillcolor rgb 'white'

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
