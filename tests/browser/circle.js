/* Without channels: how many processors are drawn, and the route of a message. */
const [run] = ecube.runs, {source, destination} = run.messages;
const message = source.findIndex((from, i) => from === 3 && destination[i] === 5);
return ecube.views[0].cube.points.length + " " + run.route(message).join(" -> ");
