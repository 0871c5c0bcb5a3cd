/* The answer above the pictures: the verdict is of the size with the largest ratio. The bars of its two
 * runs are the first. Each is as long as its run takes, and its parts add up; what waits has its own. What the tables name can be chosen.
 * Words explain themselves. */
const all = (query, node = document) => [...node.querySelectorAll(query)], {runs: every, state, page} = ecube;
const width = node => node.getBoundingClientRect().width, bars = all("header .bar");
const [slow, fast] = page.pair.map(number => every[number]), runs = [slow, fast, ...every.filter(run => run.size === slow.size && run !== slow && run !== fast)];
const ratio = (one, other) => one.simulated / other.simulated;
tell("pair", every.every(one => every.every(other => one.size !== other.size || ratio(one, other) <= ratio(slow, fast))));
tell("verdict", text("verdict").startsWith(slow.label.split(",")[0] + " takes " + ratio(slow, fast).toFixed(2) + " times"));
tell("bars", bars.length === runs.length, bars.every((bar, i) => {
    const drawn = all("svg > rect", bar).reduce((sum, rect) => sum + rect.getBBox().width, 0);
    return Math.abs(drawn - width(bar) * runs[i].simulated / slow.simulated) < 1;
}));
tell("names of parts", bars.every(bar => all("text:not([hidden])", bar).every(name =>
    name.getComputedTextLength() <= width(name.parentNode))));
tell("one left edge", new Set(bars.map(bar => Math.round(bar.getBoundingClientRect().left))).size);
const contention = bar => all("rect", bar).at(-1).getAttribute("fill") === "url(#waits)";
tell("contention", runs.map((run, i) => contention(bars[i]) === run.simulated > run.contentionFree).join());
const chosen = async words => {
    const link = all(".card .link").find(one => one.textContent.startsWith(words));
    link.click();
    await drawn();
    tell(words, JSON.stringify(state.selection), state.selected === every[link.closest(".card").dataset.run]);
};
await chosen("channel ");
await chosen("receive port of ");
await chosen("message ");
tell("words", all("abbr").every(word => word.title) && all("dt").map(word => word.textContent).includes("critical path"));
tell("preview", plain(all("meta[name=description]")[0].content) === text("verdict"));
return lines.join("\n");
