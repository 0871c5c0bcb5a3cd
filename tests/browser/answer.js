/* The answer above the pictures: each bar is as long as its run takes, against the longest of its size, and its parts add
 * up; what waits has its own. What the tables name can be chosen. Words explain themselves. */
const all = (query, node = document) => [...node.querySelectorAll(query)], {runs, state} = ecube;
const width = node => node.getBoundingClientRect().width, bars = all(".bar");
const longest = size => Math.max(...runs.filter(run => run.size === size).map(run => run.simulated));
tell("bars", bars.length === runs.length, bars.every((bar, i) => {
    const drawn = all("svg > rect", bar).reduce((sum, rect) => sum + width(rect), 0);
    return Math.abs(drawn - width(bar) * runs[i].simulated / longest(runs[i].size)) < 1;
}));
tell("one left edge", new Set(bars.map(bar => Math.round(bar.getBoundingClientRect().left))).size);
const contention = bar => all("rect", bar).at(-1).getAttribute("fill") === "url(#waits)";
tell("contention", runs.map((run, i) => contention(bars[i]) === run.simulated > run.contentionFree).join());
const chosen = async words => {
    const link = all(".card .link").find(one => one.textContent.startsWith(words));
    link.click();
    await drawn();
    tell(words, JSON.stringify(state.selection), state.selected === runs[all(".card").indexOf(link.closest(".card"))]);
};
await chosen("channel 24->16");
await chosen("receive port of ");
await chosen("message 1,");
tell("words", all("abbr").every(word => word.title) && all("dt").map(word => word.textContent).includes("critical path"));
tell("preview", all("meta[name=description]")[0].content === text("words"));
return lines.join("\n");
