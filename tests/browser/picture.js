/* For README's picture: the two runs, and the message with the longest chain of waits after 1 ms. */
const [run, other] = ecube.runs, t = 1000e6;
ecube.show(run, other);
ecube.seek(t);
const moment = ecube.at(run, t), waiting = moment.waits.map(i => run.activities.message[i]);
waiting.sort((one, two) => moment.chain(two).length - moment.chain(one).length);
ecube.select(run, {message: waiting[0]});
await drawn();
return "";
