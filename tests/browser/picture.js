/* For README's picture: the two runs, their critical paths, and the message with the longest chain of waits after 1 ms. */
const [run, other] = ecube.runs, t = 1000e6;
ecube.show(run, other);
byId("path").click();
ecube.seek(t);
const waiting = run.activeAt(t).filter(i => run.activities.kind[i] === 2).map(i => run.activities.message[i]);
waiting.sort((one, two) => run.chain(two, t).length - run.chain(one, t).length);
ecube.select(run, {message: waiting[0]});
await drawn();
return "";
