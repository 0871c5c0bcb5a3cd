/* Where the nodes of a cube are drawn: x and y between 0 and 1. */

const GRAPH_DIMENSION_MAX = 6;          /* above that the channels are shown as a matrix */

/* Nested cubes: three dimensions are an oblique cube, the next three an oblique cube of cubes. */
function layoutNested(dimension) {
    const small = [[1, 0.05], [0, 1], [0.42, -0.31]];
    const large = dimension < 6 ? [[2.3, 0.5], [0.45, 2.1]] : [[4.1, 0.8], [0.7, 3.4], [1.55, -1.8]];
    return fit(Array.from({length: 2 ** dimension}, (_, node) => [...small, ...large]
        .filter((_, bit) => node >> bit & 1).reduce(([x, y], [dx, dy]) => [x + dx, y + dy], [0, 0])));
}

/* Rings: the low four dimensions go round in the order of a Gray code, so that neighbours on a ring are neighbours in
 * the cube; the others go outwards in that order. */
function layoutRings(dimension) {
    const low = Math.min(dimension, 4), size = 2 ** low, rings = 2 ** (dimension - low);
    return fit(Array.from({length: 2 ** dimension}, (_, node) => {
        const angle = (fromGray(node % size) / size - 0.25) * 2 * Math.PI;
        const radius = rings === 1 ? 1 : 0.34 + 0.66 * fromGray(Math.floor(node / size)) / (rings - 1);
        return size === 1 ? [0, 0] : [radius * Math.cos(angle), radius * Math.sin(angle)];
    }));
}

/* Which number of the sequence 0, 1, 3, 2, 6, ... a code is. */
const fromGray = code => code && code ^ fromGray(code >> 1);

/* The same within the unit square; what has no width stands in its middle. */
function fit(points) {
    const scales = [0, 1].map(axis => {
        const all = points.map(point => point[axis]), least = Math.min(...all), most = Math.max(...all);
        return value => most > least ? (value - least) / (most - least) : 0.5;
    });
    return points.map(point => point.map((value, axis) => scales[axis](value)));
}
