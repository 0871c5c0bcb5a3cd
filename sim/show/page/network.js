/* The network of a page: a cube, a mesh if there is page.mesh, or no channels if the dimension is 0. A channel leaves a
 * processor on one of its ways, which are numbered as in sim/cube/topology.c. */

export const NONE = -1;     /* no processor, and no message */

const waysKnown = new WeakMap();            /* the ways of a page */

/* Returns the ways: [{name, next}]. next(node) is the processor to which the way leads, or NONE. */
export function channelWays(page) {
    if (!waysKnown.has(page))
        waysKnown.set(page, page.mesh ? waysOnMesh(page.mesh) : [...Array(page.dimension).keys()].map(bit =>
            ({name: "dim. " + bit, next: node => node ^ 2 ** bit})));
    return waysKnown.get(page);
}

/* Returns the sides of a mesh with the distance between neighbours' places along them, the last side first. */
const meshSides = ({sides}) => sides.map((side, i) => ({side, name: "side " + (i + 1),
    scale: sides.slice(i + 1).reduce((product, other) => product * other, 1)})).reverse();

/* Returns the ways along all sides: up, then down; of a side of two one leads to the other end. */
function waysOnMesh(mesh) {
    const {place} = mesh, address = [];
    place.forEach((one, node) => { address[one] = node; });
    return meshSides(mesh).flatMap(({side, scale, name}) => (side > 2 ? [1, -1] : [0]).map(sign => {
        const next = node => {
            const digit = Math.floor(place[node] / scale) % side, to = sign ? digit + sign : 1 - digit;
            return to < 0 || to >= side ? NONE : address[place[node] + (to - digit) * scale];
        };
        return {name: name + (sign ? sign > 0 ? " +" : " \u2212" : ""), next};
    }));
}

/* Returns the way of the channel between two neighbours. */
export const channelWay = (page, from, to) =>
    page.mesh ? channelWays(page).findIndex(way => way.next(from) === to) : Math.log2(from ^ to);

/* Returns the processors on a message's route: the lowest dimension first, or the last side; without channels the two
 * ends. */
export function routeOf(page, from, to) {
    const nodes = [from], ways = channelWays(page), far = node => page.mesh ? meshDistance(page.mesh, node, to)
        : [...(node ^ to).toString(2)].filter(bit => bit === "1").length;
    for (let way; nodes.at(-1) !== to && ways.length; nodes.push(way.next(nodes.at(-1))))
        way = ways.find(({next}) => next(nodes.at(-1)) !== NONE && far(next(nodes.at(-1))) < far(nodes.at(-1)));
    return nodes.at(-1) === to ? nodes : [...nodes, to];
}

function meshDistance(mesh, from, to) {
    const digit = (node, {side, scale}) => Math.floor(mesh.place[node] / scale) % side;
    return meshSides(mesh).reduce((sum, side) => sum + Math.abs(digit(from, side) - digit(to, side)), 0);
}

/* Returns the point of a processor on a mesh: the last side across, the one before down, and the planes of all others a
 * little behind each other. */
export function pointOnMesh({sides, place}, node) {
    const columns = sides.at(-1), rows = sides.at(-2) ?? 1, planes = place.length / columns / rows;
    const across = place[node] % columns, down = Math.floor(place[node] / columns) % rows;
    const behind = Math.floor(place[node] / columns / rows) / planes;
    return [across + 0.9 * behind, down - 0.8 * behind];
}
