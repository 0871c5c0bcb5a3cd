# Bokhari 1993, figure 1: run times of all partitions of d on the textbook machine, and their hull of optimality.
# Arguments: folder, format, letter of the panel, d, the partitions in the order of the CSV, separated by blanks.
folder = ARG1
format = ARG2
name = 'bokhari1993-figure1' . ARG3
d = int(ARG4)
partitions = ARG5
width = d == 4 ? 830 : 1220
height = 540
load 'scripts/figures/common.gp'

runs = folder . '/' . name . '-partitions.csv'
hull = folder . '/' . name . '-hull.csv'
n = words(partitions)
xmax = 80
zoom = 7

# Partitions with a face on the hull are solid, the others dashed.
if (d == 4) {
    array colours[5] = [vermilion, orange, green, purple, blue]
    array dashes[5] = [1, 2, 1, 4, 1]
} else {
    array colours[11] = [vermilion, sky, orange, green, purple, grey, blue, sky, orange, purple, black]
    array dashes[11] = [1, 2, 2, 1, 2, 2, 1, 4, 4, 4, 1]
}

# The partitions of two parts meet where two of them do: their lines through the first and the last size.
array two[2]
found = 0
do for [k = 1:n] {
    if (n_parts(word(partitions, k)) == 2 && found < 2) { found = found + 1; two[found] = k }
}
array t0[2]
array slope[2]
do for [i = 1:2] {
    stats runs using (column('bytes')):(column('published_us') / 1000) every n::(two[i] - 1) nooutput
    t0[i] = STATS_min_y
    slope[i] = (STATS_max_y - STATS_min_y) / (STATS_max_x - STATS_min_x)
}
meet = (t0[1] - t0[2]) / (slope[2] - slope[1])
meet_ms = t0[1] + slope[1] * meet

to(x) = x > 0 ? x : xmax
hull_ms(x) = (column('slope_us_per_byte') * x + column('intercept_us')) / 1000

set xlabel 'block size m (bytes)'
set ylabel 'published run time (ms)'
head = sprintf('Run times of all partitions of d = %d: λ = 100 µs, δ = 10 µs, τ = 2 µs/byte, ρ = 1 µs/byte', d)

set multiplot
set lmargin at screen 75.0 / width
set rmargin at screen 615.0 / width
set bmargin at screen 0.11
set tmargin at screen 0.91
set label 1 head at screen 0.5, 0.96 center font ',13'
set label 2 sprintf("all partitions of two parts\nmeet at (λ+δ)/τ = %.4g bytes", meet) at meet, meet_ms \
    offset character -3, -4.5 left front
set arrow 2 from meet, meet_ms rto character 1, character -3.8 nohead lw 0.8 front
set object 1 circle at meet, meet_ms radius character 1.1 fs empty border rgb 'black' lw 1.5 front
set xrange [0:xmax]
set yrange [0:(d == 4 ? 11 : 36)]
set key at screen (d == 4 ? 635.0 : 1030.0) / width, 0.88 left top
plot hull using 1:(hull_ms($1)):((valid(2) ? $2 : xmax) - $1):(hull_ms((valid(2) ? $2 : xmax)) - hull_ms($1)) \
        with vectors nohead lc rgb 0xC8C8C8 lw 9 title 'hull of optimality', \
    for [k = 1:n] runs using (column('bytes')):(column('published_us') / 1000) every n::(k - 1) \
        with lines lw 1.5 lc rgb colours[k] dt dashes[k] title '{/:Normal \{' . word(partitions, k) . '\}}', \
    hull using ($1 > 0 ? $1 : NaN):(hull_ms($1)) with points pt 7 ps 0.9 lc rgb 'black' title 'vertex', \
    hull using ($1 > 4.5 ? $1 : NaN):(hull_ms($1)):(sprintf('%.2f', $1)) with labels offset 1, -1.1 notitle

if (d == 6) {
    # the same near the origin
    set lmargin at screen 690.0 / width
    set rmargin at screen 1005.0 / width
    set bmargin at screen 0.11
    set tmargin at screen 0.84
    unset label 1
    unset label 2
    unset arrow 2
    unset object 1
    set title 'near the origin'
    unset ylabel
    set xrange [0:zoom]
    set yrange [0:6]
    unset key
    plot hull using 1:(hull_ms($1)):((valid(2) ? $2 : xmax) - $1):(hull_ms((valid(2) ? $2 : xmax)) - hull_ms($1)) \
            with vectors nohead lc rgb 0xC8C8C8 lw 9, \
        for [k = 1:n] runs using (column('bytes')):(column('published_us') / 1000) every n::(k - 1) \
            with lines lw 1.5 lc rgb colours[k] dt dashes[k], \
        hull using ($1 > 0 ? $1 : NaN):(hull_ms($1)) with points pt 7 ps 0.9 lc rgb 'black', \
        hull using ($1 > 0 && $1 < zoom ? $1 : NaN):(hull_ms($1)):(sprintf('%.2f', $1)) with labels offset 1.5, -1.0
}
unset multiplot
