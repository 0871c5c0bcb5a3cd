/* How long the browser is busy with a frame, from its first callback until it has painted, while the page plays; while
 * a person turns the wheel with Ctrl, ten times in and ten times out; and while they drag the half of the run. All come
 * as events that the page handles itself. In ms: the median and what 95 of 100 stay below, of that time and of the time
 * from frame to frame. */
const {state} = ecube, canvas = byId("timeline0"), {left, top, width} = canvas.getBoundingClientRect();
const send = (type, x, more) => canvas.dispatchEvent(new (type === "wheel" ? WheelEvent : PointerEvent)(type,
    {clientX: left + x, clientY: top + 9, pointerId: 1, cancelable: true, ...more}));
const show = times => {
    times.sort((a, b) => a - b);
    return [0.5, 0.95].map(share => times[Math.floor(times.length * share)].toFixed(1)).join(" ");
};
const frames = act => new Promise(done => {
    const busy = [], between = [], painted = new MessageChannel();
    let start, last;
    painted.port1.onmessage = () => act(busy.push(performance.now() - start));
    const tick = now => {
        start = performance.now();
        between.push(now - last);
        last = now;
        if (busy.length === 200)
            return void done(show(busy) + "," + show(between.slice(1)));
        painted.port2.postMessage(0);
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
});
ecube.play(true);
const playing = await frames(() => {});
ecube.play(false);
const zooming = await frames(i => send("wheel", width * 0.6, {ctrlKey: true, deltaY: i % 20 < 10 ? -100 : 100}));
state.view = {from: state.end / 4, to: state.end * 3 / 4};
send("pointerdown", width / 2);
const dragging = await frames(i => send("pointermove", width * (0.5 + 0.4 * Math.sin(i / 20))));
send("pointerup", width / 2);
return [playing, zooming, dragging].join(",");
