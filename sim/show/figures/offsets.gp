# Traffic against messages of exchanges by offsets: $lists has k, the traffic of the best list known, the bound, and 1
# where the list attains it; $partitions has k and the traffic of the best partition.
set title title noenhanced
set xlabel 'messages k of a processor'
set ylabel 'traffic W (blocks of a processor)'
set key top right noenhanced
stats $lists using 1:2 nooutput
set xrange [0.94 * STATS_min_x:1.06 * STATS_max_x]
set yrange [0.9 * STATS_min_y:1.03 * STATS_max_y + 1]
if (STATS_min_x > 0) { set logscale x 2 } else { set xrange [-1:1] }   # d = 0: one processor, no messages
set xtics 1, (STATS_max_x > 5000 ? 4 : 2)
set format x '%.0f'
plot $lists using 1:2 with lines lc rgb blue lw 1.8 title 'best list known', \
    $lists using 1:($4 == 1 ? $2 : NaN) with points pt 7 ps 0.6 lc rgb blue title 'attains the bound', \
    $lists using 1:3 with lines lc rgb black dt 2 lw 1.2 title 'no exchange in k rounds has less', \
    $partitions using 1:2 with points pt 5 ps 0.7 lc rgb vermilion title 'partitions (Multiphase)'
