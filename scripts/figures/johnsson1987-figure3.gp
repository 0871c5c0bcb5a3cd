# Johnsson & Ho 1987, figure 3: broadcast of 60 kB in packets of 1 kB on the iPSC/1, SBT against nESBT, and the speed-up.
# Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'johnsson1987-figure3'
width = 1100
height = 480
load 'scripts/figures/common.gp'
set datafile missing NaN

runs = folder . '/' . name . '.csv'
packets = 60.0      # of 1 kB
d_max = 7

array sbt[d_max]; array nesbt_full[d_max]; array nesbt_half[d_max]
do for [d = 1:d_max] {
    at(who, duplex) = column('dimension') == d && strstrt(run_of(0), 'duplex=' . duplex) \
        ? time_of('|' . who . '|', 'simulated_us') : NaN
    stats runs using (at('sbt', 'full')) nooutput
    sbt[d] = STATS_min
    stats runs using (at('nesbt', 'full')) nooutput
    nesbt_full[d] = STATS_min
    stats runs using (at('nesbt', 'half')) nooutput
    nesbt_half[d] = STATS_min
}

unset datafile columnheaders     # arrays have none
set xlabel 'dimension n = log N of the cube'
set xrange [0.7:d_max + 0.3]
set dummy n
set xtics 1
set multiplot layout 1, 2 title 'Broadcast of 60 kB in packets of 1 kB on the iPSC/1 (NX), simulated'
set title '(a) time'
set ylabel 'time (ms)'
set yrange [0:1500]
set key top left
plot sbt using 1:(sbt[int($1)]) with linespoints pt 5 ps 0.8 lw 1.6 lc rgb blue title 'SBT', \
    sbt using 1:(nesbt_half[int($1)]) with linespoints pt 9 ps 0.9 lw 1.6 dt 3 lc rgb vermilion \
        title 'nESBT, a send and a receive exclude each other', \
    sbt using 1:(nesbt_full[int($1)]) with linespoints pt 7 ps 0.8 lw 1.6 lc rgb vermilion title 'nESBT, full duplex'
set title '(b) SBT over nESBT'
set ylabel 'speed-up'
set yrange [0:9.5]
plot [n = 0.7:d_max + 0.3] n with lines dt 2 lw 1.6 lc rgb grey title 'log N', \
    sbt using 1:(sbt[int($1)] / nesbt_full[int($1)]) with points pt 7 ps 0.8 lc rgb vermilion title 'full duplex', \
    [n = 2:d_max] n * packets / (packets + n) with lines lw 1.2 lc rgb vermilion \
        title 'P n/(P + n), P = 60 packets', \
    sbt using 1:(sbt[int($1)] / nesbt_half[int($1)]) with points pt 9 ps 0.9 lc rgb orange \
        title 'a send and a receive exclude each other', \
    [n = 1:d_max] n * 2**n / (2.0 * (2**n - 1)) with lines dt 3 lw 1.2 lc rgb orange \
        title 'its bound, n N/(2(N - 1))'
unset multiplot
