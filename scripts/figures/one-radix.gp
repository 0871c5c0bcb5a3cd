# What one radix is worth: the largest regret of libraries that have radix 2 and Direct alone, and of those that have one
# radix for all phases, against the best partition; and for 1024 processors every radix over block sizes. Arguments:
# folder, format, the radices of the faces of one-radix-one.csv.
folder = ARG1
format = ARG2
radices = ARG3
name = 'one-radix'
width = 1280
height = 520
load 'scripts/figures/common.gp'

regrets = folder . '/' . name . '.csv'
mixed = folder . '/' . name . '-mixed.csv'
one = folder . '/' . name . '-one.csv'
rhos = '0 0.25 0.5 1 1.5'
percent(choice, rho) = strcol('choice') eq choice && strcol('rho_over_tau') eq rho ? 100 * column('regret') : NaN
set datafile missing NaN

# The time of the best partition at x, and those with one radix that are on their hull: straight lines.
stats mixed using (column('slope_us_per_byte')) nooutput
n = STATS_records
array slope[n]
array intercept[n]
array slope_one[words(radices)]
array intercept_one[words(radices)]
do for [k = 1:n] {
    stats mixed using (column('slope_us_per_byte')) every ::(k - 1)::(k - 1) nooutput
    slope[k] = STATS_min
    stats mixed using (column('intercept_us')) every ::(k - 1)::(k - 1) nooutput
    intercept[k] = STATS_min
}
do for [k = 1:words(radices)] {
    stats one using (column('slope_us_per_byte')) every ::(k - 1)::(k - 1) nooutput
    slope_one[k] = STATS_min
    stats one using (column('intercept_us')) every ::(k - 1)::(k - 1) nooutput
    intercept_one[k] = STATS_min
}
min(a, b) = a < b ? a : b
least(k, x) = k == 0 ? 1e99 : min(intercept[k] + slope[k] * x, least(k - 1, x))
over(k, x) = 100 * ((intercept_one[k] + slope_one[k] * x) / least(n, x) - 1)

set multiplot layout 1, 3 title 'What one radix is worth: how much longer than the best partition the complete exchange takes'
set ylabel 'longer than the best, at the worst block size (%)'
set xlabel 'dimension d'
set xrange [2.5:12.5]
set xtics 1
do for [panel = 0:1] {
    choice = panel == 0 ? 'extremes' : 'one'
    set title panel == 0 ? '(a) radix 2 or Direct' : '(b) one radix for all phases'
    set yrange [0:(panel == 0 ? 350 : 7)]
    set key top left Left reverse title '{/Symbol r}/{/Symbol t}'
    plot for [k = 1:words(rhos)] regrets using (column('dimension')):(percent(choice, word(rhos, k))) with linespoints \
        pt 7 ps 0.6 lw 1.6 lc rgb shades[k] title word(rhos, k)
}
set title '(c) d = 10, {/Symbol r} = {/Symbol t}, {/Symbol l}/{/Symbol t} = 100 bytes'
set xlabel 'block size m (bytes)'
set ylabel 'longer than the best, at block size m (%)'
set logscale x
set xrange [0.02:5000]
set xtics (0.1, 1, 10, 100, 1000)
set yrange [0:80]
set samples 1000
set key top right Left reverse title 'radix'
plot for [k = 1:words(radices)] over(k, x) with lines lw 1.8 lc rgb shades[k] title word(radices, k)
unset multiplot
