# What the best lists of offsets (solid) and the best partitions (dashed) take over the bound, for d = 5 ... 10.
# Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'offsets-times'
width = 1280
height = 900
load 'scripts/figures/common.gp'

file = folder . '/' . name . '.csv'
labels = 'bokhari1993 ncube2 ipsc860 copy'
array titles[4] = ["Bokhari's machine, {/Symbol r} = 0: nothing costs but messages", \
    'nCUBE-2: partitions shuffle, lists gather free of charge', \
    'iPSC/860, where lists also save barriers', 'iPSC/860, gathering as dear as shuffling']
shade(d) = shades[d - 4]
over(what, label, d) = strcol('machine') eq label && column('dimension') == d ? column(what) / column('bound_us') : NaN
set datafile missing NaN

set logscale x 2
set xrange [1:2048]
set xtics (1, 4, 16, 64, 256, 1024)
set xlabel 'block size m (bytes)'
set ylabel 'time over the bound'
set key top right title 'lists (solid), partitions' maxrows 3
set multiplot layout 2, 2 title 'Complete exchange: time over what no exchange in rounds falls short of'
do for [panel = 1:4] {
    label = word(labels, panel)
    set title sprintf('(%s) %s', word('a b c d', panel), titles[panel])
    if (panel > 2) { set logscale y 2; set ytics (1, 1.5, 2, 3, 4, 6, 8) }
    set yrange [1:word('1.2 3 8 8', panel)]
    plot for [d = 5:10] file using (column('bytes')):(over('lists_us', label, d)) with lines lw 1.6 lc rgb shade(d) \
            title sprintf('d = %d', d), \
        for [d = 5:10] file using (column('bytes')):(over('partitions_us', label, d)) with lines lw 1.2 dt 2 \
            lc rgb shade(d) notitle
}
unset multiplot
