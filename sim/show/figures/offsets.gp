# Traffic against messages of exchanges by offsets: $lists has k, the traffic of the best list known, the bound, and 1
# where the list attains it; $partitions has k and the traffic of the best partition.
set title title noenhanced
set logscale xy
set xlabel 'messages k of a processor'
set ylabel 'traffic W (blocks of a processor)'
set key top right noenhanced
set offsets graph 0.02, graph 0.02, graph 0.05, graph 0.05
plot $lists using 1:3 with lines lc rgb black dt 2 lw 1.4 title 'no exchange in k rounds has less', \
    $lists using 1:2 with lines lc rgb blue lw 1.4 title 'best list known', \
    $lists using 1:($4 == 1 ? $2 : NaN) with points pt 7 ps 0.6 lc rgb blue title 'attains the bound', \
    $partitions using 1:2 with points pt 5 ps 0.9 lc rgb vermilion title 'partitions (Multiphase)'
