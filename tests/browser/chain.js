/* Naive on a 2-cube, 1000 bytes, in µs: everybody's start-up takes 95, a channel 10.3, a transmission 394. 1 sends to 0
 * from 105.3 to 499.3; 2 has its channel then, and waits for the port of 0 until 499.3; 3 comes over 2, and waits for
 * the channel 2->0 from 105.3 until 893.3. */
const at = async (t, message) => {
    const [run] = ecube.runs, chain = ecube.at(run, t * 1e6).chain(message).map(link => [link.message, link.holder]);
    ecube.seek(t * 1e6);
    ecube.select(run, {message});
    await drawn();
    tell(t, "chain", JSON.stringify(chain), "behind", JSON.stringify(ecube.at(run, t * 1e6).behind(message)));
};
await at(100, 3);
await at(200, 3);
tell(text("selected"));
await at(200, 1);
await at(600, 3);
await at(900, 3);
tell(text("cards").match(/and \d+ more were used/));
return lines.join("\n");
