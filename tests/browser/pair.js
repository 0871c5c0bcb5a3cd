/* Two runs, zooming and dragging: one frame is drawn once, the window stays within the run, and the clock need not be in
 * it; what is found by Shift and Enter is of the second run. */
const {state, runs, views} = ecube, canvas = byId("timeline0"), {timeline} = views[0];
ecube.show(runs[0], runs[0]);
tell("the same run is there once", state.shown.length, byId("second").value);
ecube.show(runs[0], runs[1]);
byId("find").value = "message 3";
byId("find").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", shiftKey: true, bubbles: true}));
tell("second", state.selected === runs[1], JSON.stringify(state.selection));
await press("Escape");

const shares = () => [state.view.from, state.view.to].map(t => (t / state.end).toFixed(3)).join(" to ");
ecube.seek(0);
state.view = {from: state.end * 0.8, to: state.end * 0.9};
await press("+");
tell("the clock is before the window", shares());
state.view = {from: state.end * 0.4, to: state.end * 0.6};
await drawn();
const {left, top} = canvas.getBoundingClientRect();
const drag = async (button, ...xs) => {
    const types = ["pointerdown", ...xs.slice(1, -1).map(() => "pointermove"), "pointerup"];
    xs.forEach((x, i) => canvas.dispatchEvent(new PointerEvent(types[i], {pointerId: 1, button, bubbles: true,
        clientX: left + x, clientY: top + 20})));
    await drawn();
};
await drag(0, 300, 300 - timeline.x(state.end * 0.5) + timeline.x(state.end * 0.4), 300);
tell("dragged", shares());
await drag(0, 300, 9000, 300);
tell("dragged too far", shares());
await drag(2, 300, 300);
tell("the other button", JSON.stringify(state.selection), state.t);

let frames = 0;
const counted = timeline.draw;
timeline.draw = function (...seen) { frames++; counted.apply(this, seen); };
ecube.play(true);
ecube.play(false);
ecube.play(true);
await drawn();
frames = 0;
let passed = 0;
for (; passed < 20; passed++)
    await new Promise(done => requestAnimationFrame(done));
ecube.play(false);
delete timeline.draw;
tell("a frame is drawn once", Math.abs(frames - passed) <= 1);
return lines.join("\n");
