/**
 * Calculates the platform's cost of the service's documents, in points. The platform does not publish its formula;
 * this one reproduces measurements (docs/decisions/0148). `nodes(ids:)` is assumed to count for each id, which was
 * not verified.
 */

/**
 * The platform allows 1,000 points for a query; the difference is a reserve for the formula's errors.
 * @internal A test holds every document of the service against it.
 */
export const MAX_POINTS_PER_QUERY = 800;
/** The points of a mutation, with any selection except connections. */
export const MUTATION_POINTS = 10;

/**
 * Returns the points of a connection of `size` nodes that cost `nodePoints` each: 1 for the node, 1 for each object
 * in it.
 */
export function countConnectionPoints(nodePoints: number, size: number): number {
  return 2 + nodePoints * Math.floor(2 * Math.log(Math.max(2, size)));
}

/**
 * Returns how many parts of `pointsPerPart` points each fit in a document that also contains `otherPoints` points; at
 * least one.
 */
export function maxPartsPerDocument(pointsPerPart: number, otherPoints = 0): number {
  return Math.max(1, Math.floor((MAX_POINTS_PER_QUERY - 1 - otherPoints) / Math.max(1, pointsPerPart)));
}
