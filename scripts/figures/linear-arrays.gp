# Multiplication of 32 x 32 x 32 matrices on columns of the iPSC/1, by the SBT and by the GCEA: total times and what of
# them is communication (Johnsson & Ho 1987, figure 9). Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'johnsson1987-figure9'
width = 900
height = 720
load 'scripts/figures/common.gp'
set datafile missing NaN

runs = folder . '/' . name . '.csv'
array machines[2] = ['ipsc1', 'ipsc1:first']
array titles[2] = ['NX, start-up 1.5 ms', 'initial system, start-up 8 ms']
array ways[2] = ['full', 'half']
array routings[2] = ['sbt', 'gcea']
array colours[2] = [blue, vermilion]
is(m, w, r) = strcol('machine') eq machines[m] && strstrt(strcol('overrides'), 'duplex=' . ways[w]) && \
    strcol('routing') eq routings[r]
total(m, w, r) = is(m, w, r) ? column('simulated_us') / 1000 : NaN
communication(m, w, r) = is(m, w, r) ? (column('simulated_us') - column('arithmetic_us')) / 1000 : NaN

set label 1 "Multiplying 32 x 32 x 32 matrices on 2^n processors of the iPSC/1, C broadcast. Up to n = 2 sbt and gcea take the same" \
    at screen 0.5, 0.97 center font ',12'
set xrange [-0.2:6.2]
set yrange [3:6000]
set logscale y
set ytics (@decades)
set xtics 1
set multiplot
do for [m = 1:2] {
    do for [w = 1:2] {
        set lmargin at screen w == 1 ? 0.09 : 0.57
        set rmargin at screen w == 1 ? 0.50 : 0.98
        set tmargin at screen m == 1 ? 0.90 : 0.43
        set bmargin at screen m == 1 ? 0.56 : 0.09
        set title sprintf('%s, duplex = %s', titles[m], ways[w]) offset 0, -0.4
        set xlabel m == 2 ? 'dimension n of the cube' : ''
        set ylabel w == 1 ? 'time (ms)' : ''
        if (m == 1 && w == 1) { set key top right } else { unset key }
        plot for [r = 1:2] runs using (column('dimension')):(total(m, w, r)) with linespoints pt 7 ps 0.7 lw 1.6 \
            lc rgb colours[r] title routings[r] . ', total', \
            for [r = 1:2] runs using (column('dimension')):(communication(m, w, r)) with linespoints pt 6 ps 0.7 \
            lw 1.6 dt 2 lc rgb colours[r] title routings[r] . ', communication'
        unset label 1
    }
}
unset multiplot
