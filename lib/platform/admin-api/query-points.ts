/**
 * The cost of our documents at the platform, in points. The platform does not publish its formula; this one reproduces
 * what was measured there (docs/decisions/0148). `nodes(ids:)` is taken to count for each id, which nobody knows.
 */

/**
 * The platform takes 1,000 points a query; the rest is left for what the formula does not know.
 * @internal A test holds every document of the service against it.
 */
export const MOST_POINTS = 800;
/** The points of a mutation, whatever it selects but connections. */
export const MUTATION_POINTS = 10;

/** A connection of `size` nodes that cost `nodePoints` each: 1 for the node, 1 for each object in it. */
export function connectionPoints(nodePoints: number, size: number): number {
  return 2 + nodePoints * Math.floor(2 * Math.log(Math.max(2, size)));
}

/** How many parts that cost `each` points share a document that has `besides` in it; at least one. */
export function partsOfDocument(each: number, besides = 0): number {
  return Math.max(1, Math.floor((MOST_POINTS - 1 - besides) / Math.max(1, each)));
}
