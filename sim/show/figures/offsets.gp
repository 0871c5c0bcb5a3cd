# Traffic against messages of exchanges by offsets: $lists has k, the traffic of the best list known, the bound, and 1
# where the list attains it; $partitions has k and the traffic of the best partition.
set title title noenhanced
set xlabel 'messages k of a processor'
set ylabel 'traffic W (blocks of a processor)'
# k grows and traffic falls from the first list to the last. With d = 0 there are no messages.
first_k = real(word($lists[1], 1))
last_k = real(word($lists[|$lists|], 1))
set xrange [0.94 * first_k - (first_k == 0):1.06 * last_k + (last_k == 0)]
set yrange [0.9 * word($lists[|$lists|], 2):1.03 * word($lists[1], 2) + 1]
if (first_k > 0) { set logscale x 2 }
set xtics (1)
do for [k = 1:10] { set xtics add (real(last_k > 5000 ? 4 : 2) ** k) }
set format x '%.0f'
plot $lists using 1:2 with lines lc rgb blue lw 1.8 title 'best list known', \
    $lists using 1:($4 == 1 ? $2 : NaN) with points pt 7 ps 0.6 lc rgb blue title 'attains the bound', \
    $lists using 1:3 with lines lc rgb black dt 2 lw 1.2 title 'no exchange in k rounds has less', \
    $partitions using 1:2 with points pt 5 ps 0.7 lc rgb vermilion title 'partitions (Multiphase)'
