/* Time against size: at the sizes of the runs the parts are those of the table, and the points are the simulated times;
 * the winner is the least of the sums, on both sides of where it changes; bars are as long as their parts. */
const {page: {sizes}, runs} = ecube, chart = ecube.sizes, wrong = [];
const sumAt = (curve, bytes) => {
    const k = Math.max(1, curve.knots.findIndex(([at]) => at >= bytes)), [low, high] = [curve.knots[k - 1], curve.knots[k]];
    return low.slice(1).reduce((sum, part, i) => sum + part + (high[i + 1] - part) * (bytes - low[0]) / (high[0] - low[0]), 0);
};
for (const curve of sizes.curves)
    for (const [bytes, time, number] of curve.points)
        if (time !== runs[number].simulated || Math.abs(sumAt(curve, bytes) - runs[number].contentionFree) > 2
            || bytes !== runs[number].bytes)
            wrong.push(curve.name + " at " + bytes);
tell("curves", sizes.curves.length, "points", sizes.curves.reduce((n, curve) => n + curve.points.length, 0) === runs.length,
     "wrong:", wrong.join() || "nothing");
const winners = new Set();
for (let k = 0; k <= 50; k++) {
    byId("size").value = k / 50;
    byId("size").dispatchEvent(new Event("input"));
    const bytes = Number(text("bytes").split(" ")[0]), sums = sizes.curves.map(curve => sumAt(curve, bytes));
    const best = sizes.curves[sums.indexOf(Math.min(...sums))].name, named = /^(?:Without contention )?(.*?) takes least/.exec(text("winner"))[1];
    if (Math.abs(Math.min(...sums) - sumAt(sizes.curves.find(curve => curve.name === named), bytes)) > 2)
        wrong.push(named + " for " + best + " at " + bytes);
    winners.add(named);
}
tell("winners:", [...winners].join("; "), "wrong:", wrong.join() || "nothing");
const bytes = chart.bytes, bars = [...byId("parts").querySelectorAll(".bar")];
const totals = sizes.curves.map(curve => curve.points.find(([at]) => at === bytes)?.[1] ?? sumAt(curve, bytes));
tell("bars", bars.every((bar, i) => Math.abs([...bar.children].reduce((sum, rect) => sum + rect.getBBox().width, 0)
    / bar.getBoundingClientRect().width - totals[i] / Math.max(...totals)) < 0.005));
return lines.join("\n");
