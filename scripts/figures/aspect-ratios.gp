# Algorithm A1 on all grids of 32 processors of the iPSC/1, for three shapes: what is communication, published and
# simulated (Johnsson & Ho 1987, figure 19). Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'johnsson1987-figure19'
width = 1000
height = 460
load 'scripts/figures/common.gp'
set datafile missing NaN

runs = folder . '/' . name . '.csv'
array shapes[3] = ['256x32x128', '512x32x64', '1024x32x32']
array ratios[3] = [2, 8, 32]
array colours[3] = [blue, green, vermilion]
array ways[2] = ['full', 'half']
rows(dummy) = int(before(strcol('grid'), 'x'))
ratio(dummy) = 1.0 * rows(0)**2 / 32
is(s, w) = strcol('shape') eq shapes[s] && strstrt(strcol('overrides'), 'duplex=' . ways[w])
time_in(s, w, what) = is(s, w) && strlen(strcol(what)) > 1 ? (column(what) - column('arithmetic_us')) / 1000 : NaN

# The least simulated times, [shape + 3 (way - 1)], before there are logarithmic axes.
array least[6]
do for [w = 1:2] {
    do for [s = 1:3] {
        stats runs using (time_in(s, w, 'simulated_us')) nooutput
        least[s + 3 * (w - 1)] = STATS_min
    }
}
is_least(s, w) = time_in(s, w, 'simulated_us') == least[s + 3 * (w - 1)]

set logscale x 2
set logscale y
set ytics (@labels)
set xlabel 'N1/N2 of the grid'
set xrange [1.0/45:45]
set yrange [10:4000]
set xtics ('1/32' 1.0/32, '1/8' 1.0/8, '1/2' 0.5, '2' 2, '8' 8, '32' 32)
set multiplot
set label 1 'Communication of A1 on grids of 32 processors of the iPSC/1, Q = 32, PR = 32768' \
    at screen 0.5, 0.96 center font ',13'
do for [w = 1:2] {
    set lmargin at screen w == 1 ? 0.09 : 0.57
    set rmargin at screen w == 1 ? 0.50 : 0.98
    set tmargin at screen 0.86
    set bmargin at screen 0.14
    set title 'duplex = ' . ways[w] . (w == 1 ? ': published and simulated are the same' : '') offset 0, -0.6
    set ylabel w == 1 ? 'communication (ms)' : ''
    if (w == 1) { set key top right } else { unset key }
    plot for [s = 1:3] runs using (ratio(0)):(time_in(s, w, 'published_us')) with lines dt 2 lw 1.6 lc rgb colours[s] \
        title sprintf('P/R = %d, published', ratios[s]), \
        for [s = 1:3] runs using (ratio(0)):(time_in(s, w, 'simulated_us')) with linespoints pt 7 ps 0.7 lw 1.6 \
        lc rgb colours[s] title sprintf('P/R = %d, simulated', ratios[s]), \
        for [s = 1:3] runs using (is_least(s, w) ? ratio(0) : NaN):(time_in(s, w, 'simulated_us')) \
        with points pt 6 ps 2 lw 1.4 lc rgb black title (s == 1 ? 'the least simulated' : '')
    unset label 1
}
unset multiplot
