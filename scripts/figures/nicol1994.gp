# Nicol & Bokhari 1994, figures 2 and 3: Standard, Multiphase and Direct on the iPSC/860, predicted, measured as far as
# their text says, and simulated.
# Arguments: folder, format, number of the figure, d, the partitions between Standard and Direct,
# separated by blanks; runs come in the order Standard, partitions, Direct.
folder = ARG1
format = ARG2
name = 'nicol1994-figure' . ARG3
d = int(ARG4)
partitions = ARG5
width = 900
height = 560
load 'scripts/figures/common.gp'

runs = folder . '/' . name . '-runs.csv'
published = folder . '/' . name . '-published.csv'
measured = folder . '/' . name . '-measured.csv'
n = words(partitions) + 2
xmax = 400
ymax = d == 5 ? 80 : 180

# Simulated, every partition is a straight line: through the first and the last size.
array t0[n]
array slope[n]
do for [k = 1:n] {
    stats runs using (column('bytes')):(column('simulated_us') / 1000) every n::(k - 1) nooutput
    slope[k] = (STATS_max_y - STATS_min_y) / (STATS_max_x - STATS_min_x)
    t0[k] = STATS_min_y - slope[k] * STATS_min_x
}
meet(i, j) = (t0[j] - t0[i]) / (slope[i] - slope[j])

# Predicted: the faces of the hull, which begin behind Standard.
array face_t0[n]
array face_slope[n]
do for [k = 2:n] {
    stats published using (column('intercept_us') / 1000) every ::(k - 2)::(k - 2) nooutput
    face_t0[k] = STATS_min
    stats published using (column('slope_us_per_byte') / 1000) every ::(k - 2)::(k - 2) nooutput
    face_slope[k] = STATS_min
}
stats published using ($1 > 20 ? $1 : NaN) nooutput name 'predicted'
stats measured using (strcol(2) eq "crossover" ? $3 : NaN) nooutput name "measured"

# Colours of sim/show/palette.c: Standard, two parts, Direct; and of three parts, as in hulls.
array colours[4] = [blue, green, vermilion, black]
array points[4] = [5, 7, 9, 9]
if (n == 4) {
    array colours[4] = [blue, black, green, vermilion]
    array points[4] = [5, 13, 7, 9]
}
what(k) = k == 1 ? 'Standard' : k == n ? 'Direct' : 'Multiphase (' . word(partitions, k - 1) . ')'

# A label of two lines has a semicolon, and stands above.
two(dummy) = strstrt(strcol(5), ';') > 0
lines_of(s) = strstrt(s, ';') ? before(s, ';') . "\n" . after(s, ';') : s

set title sprintf('Complete exchange on the iPSC/860, d = %d (%d processors)', d, 2**d)
set xlabel 'block size m (bytes)'
set ylabel 'time (ms)'
set xrange [0:xmax]
set logscale y
set yrange [(d == 5 ? 2 : 4):ymax]
set ytics (1, 2, 5, 10, 20, 50, 100)
set key outside right top Left reverse
set arrow 1 from measured_max, graph 0 to measured_max, graph 0.62 nohead dt 3 lw 1.5 lc rgb purple
set label 1 sprintf("Direct overtakes at\n   measured: about %g bytes\n   simulated: %.1f bytes\n   predicted: %.1f bytes", \
    measured_max, meet(n - 1, n), predicted_max) at measured_max, graph 0.24 offset 1, 0 left
plot for [k = 1:n] runs using (column('bytes')):(column('simulated_us') / 1000) every n::(k - 1) \
        with linespoints pt points[k] ps 0.7 lw 1.6 lc rgb colours[k] title what(k), \
    runs using (column('bytes')):(column('published_us') / 1000) every n with lines lw 1.6 dt 2 lc rgb colours[1] notitle, \
    for [k = 2:n] face_t0[k] + face_slope[k] * x with lines lw 1.6 dt 2 lc rgb colours[k] notitle, \
    NaN with lines lw 1.6 lc rgb grey title 'simulated by ecube', \
    NaN with lines lw 1.6 dt 2 lc rgb grey title 'predicted', \
    measured using 3:($4 / 1000) with points pt 10 ps 1.4 lw 1.8 lc rgb purple title 'measured in 1994', \
    measured using (two(0) ? 3 : $3 + 6):(two(0) ? 1.3 * $4 / 1000 : $4 / 1000):(lines_of(strcol(5))) with labels left boxed \
        font ',10' tc rgb 0x8A3A68 notitle
