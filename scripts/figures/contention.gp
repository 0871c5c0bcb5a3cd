# Hull and simulation with contention shown: what waiting adds to two schedules that contend, beside Direct and the hull's
# choice, which do not. Arguments: folder, format, d, the number of faces of the hull;
# the runs come in the order naive, reversed, faces of the hull.
folder = ARG1
format = ARG2
name = 'contention'
d = int(ARG3)
n_faces = int(ARG4)
n = n_faces + 2
width = 1180
height = 560
load 'scripts/figures/common.gp'

runs = folder . '/' . name . '-runs.csv'
hull = folder . '/' . name . '-hull.csv'
xmax = 400

hull_ms(x) = (column('slope_us_per_byte') * x + column('intercept_us')) / 1000
end(dummy) = valid(2) ? $2 : xmax
free(dummy) = column('contention_free_us') / 1000
simulated(dummy) = column('simulated_us') / 1000

array first[n_faces]
do for [k = 1:n_faces] {
    stats hull using 1 every ::(k - 1)::(k - 1) nooutput
    first[k] = STATS_min
}
on_face(k, m) = m < first[k] ? NaN : k == n_faces ? m : m <= first[k + 1] ? m : NaN

set xlabel 'block size m (bytes)'
set ylabel 'time (ms)'
set xrange [0:xmax]
set yrange [0:23]
set xtics 50
set style fill solid 0.3 noborder
set multiplot layout 1, 2 title sprintf('What contention adds to what the hull promises: iPSC/860, d = %d, without handshakes and barriers', d)
do for [panel = 0:1] {
    who = panel == 0 ? 'naive' : 'reversed'
    colour = panel == 0 ? purple : sky
    set title panel == 0 ? '(a) naive: all send to 0, 1, 2, ... in that order' : '(b) reversed: x sends to bit-reversal(x) xor i'
    set key top left Left reverse
    plot runs using (column('bytes')):(free(0)):(simulated(0)) every n::panel with filledcurves lc rgb colour title 'waiting', \
        runs using (column('bytes')):(simulated(0)) every n::panel with linespoints pt 5 + 2 * panel ps 0.7 lw 1.6 lc rgb colour \
            title who . ', simulated', \
        hull using 1:(hull_ms($1)):(end(0) - $1):(hull_ms(end(0)) - hull_ms($1)) with vectors nohead lw 6 \
            lc rgb 0xB8B8B8 title "the hull's choice, contention-free", \
        for [k = 1:n_faces] runs using (on_face(k, column('bytes'))):(simulated(0)) every n::(k + 1) with points pt 9 ps 0.8 \
            lc rgb 'black' title (k == n_faces ? "the hull's choice, simulated" : ''), \
        hull using ($1 > 0 ? $1 : NaN):(hull_ms($1)) with points pt 6 ps 1.6 lw 1.4 lc rgb 'black' \
            title 'vertex of the hull', \
        runs using (column('bytes')):(simulated(0)) every n::(n - 1) with lines lw 1.4 dt 4 lc rgb vermilion title 'direct, simulated', \
        runs using (column('bytes')):(free(0)) every n::panel with lines lw 1.6 dt 2 lc rgb colour title who . ', contention-free' . (panel == 0 ? ' = direct' : '')
}
unset multiplot
