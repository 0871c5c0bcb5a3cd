/* Trees of a broadcast: each has its own channels, and reaches every processor but the source once, whatever the number of
 * packets; channels are drawn in as many colours as there are trees. */
const [run] = ecube.runs, {messages: m, holds: h} = run, {source} = ecube.page, trees = new Map();
for (let i = 0; i < h.n; i++)
    if (h.from[i] >= 0 && h.from[i] !== h.to[i]) {
        const tree = m.tree[h.message[i]];
        trees.set(tree, (trees.get(tree) ?? new Set()).add(h.from[i] + "->" + h.to[i]));
    }
const all = [...trees.values()], ends = all.map(tree => [...tree].map(channel => Number(channel.split("->")[1])));
tell("trees", [...trees.keys()].sort().join(), "apart", new Set(all.flatMap(tree => [...tree])).size ===
    all.reduce((n, tree) => n + tree.size, 0));
tell("each reaches", ends.every(list => list.length === run.nodes - 1 && new Set(list).size === list.length && !list.includes(source)));
ecube.seek(ecube.state.end);
ecube.draw();
const {width, height} = byId("cube0"), {theme} = ecube.state, bytes = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
const drawn_ = Map.groupBy(new Uint32Array(byId("cube0").getContext("2d").getImageData(0, 0, width, height).data.buffer), one => one);
const lighter = theme.lines.map(bytes).map(line => line.map((part, k) => Math.round(part + 0.3 * (bytes(theme.back)[k] - part))));
tell("colours", lighter.map(([red, green, blue], k) => drawn_.get((255 << 24 | blue << 16 | green << 8 | red) >>> 0)?.length > 50 && k)
    .filter(Number.isInteger).join());
return lines.join("\n");
