/* Through a run and back, event by event; then with keys, and a click on a node, a message and a channel. A picture
 * depends on the time alone, not on how the clock came there. */
const {state, runs} = ecube, picture = () => byId("cube0").toDataURL() + byId("timeline0").toDataURL();
const walk = direction => {
    let n = 0;
    for (let before = -1; before !== state.t; n++) {
        before = state.t;
        ecube.step(direction);
    }
    return n - 1;
};
ecube.show(runs[0], null);
ecube.seek(0);
tell("forward", walk(1) === runs[0].instants.length - 1, us(state.t) === us(runs[0].simulated));
tell("back", walk(-1) === runs[0].instants.length - 1, state.t);
await drawn();
const first = picture();
await press("End");
const last = picture();
await press("Home");
tell("pictures", picture() === first, last !== first);
await press("ArrowRight");
await press("ArrowRight");
await press("ArrowLeft");
tell("keys", state.t === runs[0].instants[1]);
await press("+");
tell("zoomed", state.view.to - state.view.from === state.end / 2);
await press("-");
await press(" ");
await drawn();
tell("plays", state.playing, text("play"));
await press(" ");
tell("pauses", state.playing, text("play"));
ecube.seek(200e6);
const cube = ecube.views[0].cube, [x, y] = cube.points[2];
await click(byId("cube0"), x, y);
tell("node", JSON.stringify(state.selection), text("selected").startsWith("processor 2"));
const line = cube.lineOf(2, 0);
await click(byId("cube0"), (line[0] + line[2]) / 2, (line[1] + line[3]) / 2);
tell("channel", JSON.stringify(state.selection));
const {timeline} = ecube.views[0];
await click(byId("timeline0"), timeline.x(300e6), 3.3 * timeline.rowHeight);
const pixel = timeline.time(1) - timeline.time(0);
tell("message", JSON.stringify(state.selection), Math.abs(state.t - 300e6) <= pixel);
await press("Escape");
tell("nothing", JSON.stringify(state.selection));
const find = words => {
    byId("find").value = words;
    byId("find").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
    tell("find", words, JSON.stringify(state.selection), byId("find").validity.valid);
};
["channel 2 0", "the receive port of 0", "node 3", "message 12", "channel 0 3", "node 4", "port", "5"].forEach(find);
return lines.join("\n");
