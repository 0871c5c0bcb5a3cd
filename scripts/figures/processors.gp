# How far above the bound one radix, the best radices and the best lists of offsets are, over the number of processors,
# from processors.csv. Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'processors'
width = 1280
height = 460
load 'scripts/figures/common.gp'

file = folder . '/' . name . '.csv'
set xrange [6:128]
set xtics (6, 12, 24, 32, 48, 64, 96, 128)
set xlabel 'processors P'
set ylabel 'above the bound (%)'
set yrange [0:*]
set key top left
set multiplot layout 1, 2 title \
    "Complete exchange on a crossbar, Bokhari's constants, {/Symbol r} = 0: above what no exchange in rounds falls short of"
array titles[2] = ['(a) at the worst size', '(b) on average over sizes from 1 to 64 bytes']
do for [panel = 1:2] {
    what = word('worst mean', panel)
    set title titles[panel]
    plot file using 1:(column('one_' . what)) with lines lw 1.6 lc rgb grey title 'one radix (MPICH)', \
        file using 1:(column('radices_' . what)) with lines lw 1.6 lc rgb vermilion title 'any radices', \
        file using 1:(column('lists_' . what)) with lines lw 1.6 lc rgb blue title 'the best lists known'
}
unset multiplot
