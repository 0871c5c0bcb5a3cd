# From which dimension on contention makes the router slower than A1 and A2, for bit reversal and transposition.
# Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'router-contention'
width = 1180
height = 760
load 'scripts/figures/common.gp'
set datafile missing NaN

runs = folder . '/' . name . '.csv'
machines = 'ipsc1 ipsc2 ipsc860 ncube2'
array titles[4] = ['iPSC/1', 'iPSC/2', 'iPSC/860', 'nCUBE-2, all ports']
ms(m, w, p, what) = strcol('machine') eq m && strcol('algorithm') eq w && strcol('permutation') eq p \
    ? column(what) / 1000 : NaN

set multiplot layout 2, 2 title 'Bit reversal and transposition of 1000 bytes per processor: the router against A1 and A2; up to d = 4 both router curves coincide'
set xlabel 'dimension of the cube'
set ylabel 'time (ms)'
set logscale y
set ytics (@labels)
set xrange [1.7:12.3]
set xtics 2
set key top left
do for [i = 1:4] {
    m = word(machines, i)
    set title titles[i]
    plot runs using (column('dimension')):(ms(m, 'router', 'bit-reversal', 'simulated_us')) with linespoints lw 1.6 ps 0.8 \
            pt 6 lc rgb 'black' title 'router, bit reversal', \
        runs using (column('dimension')):(ms(m, 'router', 'transpose', 'simulated_us')) with linespoints lw 1.6 ps 0.8 pt 4 \
            lc rgb grey title 'router, transposition', \
        runs using (column('dimension')):(ms(m, 'router', 'bit-reversal', 'contention_free_us')) with lines lw 1.4 dt 2 \
            lc rgb 'black' title 'router, contention-free', \
        runs using (column('dimension')):(ms(m, 'a1', 'bit-reversal', 'simulated_us')) with linespoints lw 1.6 ps 0.7 pt 5 \
            lc rgb blue title 'A1, either', \
        runs using (column('dimension')):(ms(m, 'a2', 'bit-reversal', 'simulated_us')) with linespoints lw 1.6 ps 0.7 pt 7 \
            lc rgb vermilion title 'A2, either'
}
unset multiplot
