# Exchanges by offsets: traffic against messages for d = 4 ... 8, panels like the figure of `ecube offsets`. Arguments:
# folder, format.
folder = ARG1
format = ARG2
name = 'offsets-traffic'
width = 1280
height = 800
load 'scripts/figures/common.gp'
set datafile separator whitespace
set datafile nocolumnheaders
rows(d, what) = system(sprintf("awk -F, '$1 == %d && %s' %s/%s.csv", d, what, folder, name))

set multiplot layout 2, 3 title 'Traffic against messages: best lists of offsets known, best partitions, and the bound'
do for [d = 4:8] {
    set print $lists
    print rows(d, '1 { print $2, $3, $4, $3 == $4 }')
    set print $partitions
    print rows(d, '$7 { print $2, $7 }')
    unset print
    title = sprintf('(%s) d = %d', word('a b c d e', d - 3), d)
    # the legend takes the place of the sixth panel
    if (d == 8) { set key at screen 0.98, 0.3 } else { unset key }
    load 'sim/show/figures/offsets.gp'
}
unset multiplot
