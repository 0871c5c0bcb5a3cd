# What lists of offsets are worth: how much longer the best partition takes, over size and dimension, from
# offsets-times.csv. Arguments: folder, format.
folder = ARG1
format = ARG2
name = 'offsets-worth'
width = 1280
height = 420
load 'scripts/figures/common.gp'

file = folder . '/offsets-times.csv'
labels = 'bokhari1993 ipsc860 copy'
array titles[3] = ["Bokhari's machine, {/Symbol r} = 0", 'iPSC/860', 'iPSC/860, gathering as dear as shuffling']
worth(label) = strcol('machine') eq label ? 100 * (column('partitions_us') / column('lists_us') - 1) : NaN
set datafile missing NaN

unset key
unset grid
set xrange [-1.0 / 16:11 + 1.0 / 16]
set yrange [2.5:12.5]
set xtics ('1' 0, '4' 2, '16' 4, '64' 6, '256' 8, '1024' 10)
set ytics 3, 1
set xlabel 'block size m (bytes)'
set ylabel 'dimension d'
set style fill solid 1 noborder
set palette defined (-2 "#444444", -0.001 "#CCCCCC", 0 "#FFFFFF", 2 "#A6CBE3", 6 "#3787C0", 10 "#08306B")
set multiplot layout 1, 3 \
    title 'How much longer the best partition takes than the best list known (%); grey: lists lose'
do for [panel = 1:3] {
    label = word(labels, panel)
    most = word('10 150 110', panel)
    set title sprintf('(%s) %s', word('a b c', panel), titles[panel])
    set cbrange [-most / 5.0:most]
    plot file using (log(column('bytes')) / log(2)):(column('dimension')):(1.0 / 16):(0.5):(worth(label)) \
        with boxxyerror lc palette
}
unset multiplot
