# Bokhari 1993, figure 2: the parts of equipartitions of d = 11 and 16, and the number of faces of the hull against its bounds.
# Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'bokhari1993-figure2'
width = 1220
height = 520
load 'scripts/figures/common.gp'

faces = folder . '/' . name . '-faces.csv'

# In NAME-faces.csv, d comes before the columns of `ecube hull`. The argument of the functions is d.
p(d) = partition_of(4, strcol(1), valid(2) ? strcol(2) : '')
x(d) = int(before(strcol(1), ',')) == d ? n_parts(p(d)) : NaN

set multiplot
set bmargin at screen 0.13
set tmargin at screen 0.90
do for [panel = 1:2] {
    d = panel == 1 ? 11 : 16
    root = int(floor(sqrt(d)))
    left = panel == 1 ? 60.0 : 420.0
    set lmargin at screen left / width
    set rmargin at screen (left + 280) / width
    set title sprintf('(%s) equipartitions of d = %d', panel == 1 ? 'a' : 'b', d)
    set xlabel 'number of parts n'
    set ylabel 'size of a part (dimensions)'
    set xrange [0:d + 1]
    set yrange [0:d + 3]
    set xtics panel == 1 ? 1 : 2
    set ytics panel == 1 ? 1 : 2
    set samples 400
    unset key
    if (panel == 1) { set key top right Left reverse vertical maxrows 4 }
    set datafile nocolumnheaders
    set datafile separator '"'
    plot sample [1:d] '+' using 1:(d / $1) with lines lc rgb grey dt 2 title 'd/n', \
        [1:2 * root - 1] '+' using 1:(2 * root - $1) with lines lc rgb sky lw 1.5 title 'tangent of slope -1', \
        for [n = 1:d] '+' every ::0::0 using (n):(floor(d / real(n))):(0):(ceil(d / real(n)) - floor(d / real(n))) \
            with vectors nohead lc rgb 'black' lw 1.2 notitle, \
        for [n = 1:d] '+' every ::0::0 using (n):(floor(d / real(n))) with points pt 7 ps 0.6 lc rgb 'black' \
            title (n == 1 ? '⌊d/n⌋ and ⌈d/n⌉' : ''), \
        for [n = 1:d] '+' every ::0::0 using (n):(ceil(d / real(n))) with points pt 7 ps 0.6 lc rgb 'black' notitle, \
        faces skip 1 using (x(d)):(first_part(p(d))) with points pt 6 ps 1.5 lw 1.3 lc rgb vermilion \
            title 'on a face of the hull', \
        faces skip 1 using (x(d)):(last_part(p(d))) with points pt 6 ps 1.5 lw 1.3 lc rgb vermilion notitle, \
        faces skip 1 using (x(d)):(last_part(p(d)) + 0.5):(p(d)) \
            with labels left rotate by 90 font ',9' notitle
}

set lmargin at screen 780.0 / width
set rmargin at screen 1200.0 / width
set title '(c) faces of the hull of optimality'
set datafile separator comma
set xlabel 'dimension d'
set ylabel 'number of faces'
set xrange [0:65]
set yrange [0:26]
set xtics 8
set ytics 2
set key left top Left reverse at graph 0.02, graph 0.99 vertical maxrows 3
plot sample [0.5:64.5] '+' using 1:(3 * floor(sqrt(floor($1 + 0.5)))) with lines lc rgb vermilion lw 1.5 dt 2 \
        title 'upper bound 3⌊√d⌋', \
    [0.5:64.5] '+' using 1:(2 * floor(sqrt(floor($1 + 0.5))) - 1) with lines lc rgb blue lw 1.5 dt 4 \
        title 'lower bound 2⌊√d⌋ - 1', \
    faces skip 1 using 1:(1) smooth frequency with points pt 7 ps 0.8 lc rgb 'black' title 'faces found by ecube hull'
unset multiplot
