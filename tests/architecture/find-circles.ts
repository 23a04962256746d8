/** Circles in a graph: groups of nodes that reach each other (Tarjan's algorithm), and a shortest way round in each. */

export type Edge = readonly [from: string, to: string];

interface Search {
  next: Map<string, string[]>;
  order: Map<string, number>;
  stack: string[];
  circles: string[][];
}

function nextOf(edges: readonly Edge[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  return next;
}

function visit(search: Search, node: string): number {
  const { order, stack } = search;
  const index = order.size;
  order.set(node, index);
  stack.push(node);
  let lowest = index;
  for (const target of search.next.get(node) ?? []) {
    if (!order.has(target)) lowest = Math.min(lowest, visit(search, target));
    else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target) ?? lowest);
  }
  if (lowest === index) {
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) search.circles.push(circle.sort());
  }
  return lowest;
}

/** Groups of nodes that reach each other, each group sorted; a node that is in no circle is in no group. */
export function findCircles(edges: readonly Edge[]): string[][] {
  const search: Search = { next: nextOf(edges), order: new Map(), stack: [], circles: [] };
  for (const node of search.next.keys()) if (!search.order.has(node)) visit(search, node);
  return search.circles;
}

/** Returns a shortest cycle that starts and ends at `start`, inside a circle that `findCircles` found. */
export function shortestWayRound(edges: readonly Edge[], start: string): string[] {
  const next = nextOf(edges);
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const target of next.get(way.at(-1) ?? '') ?? []) {
      if (target === start && way.length > 1) return [...way, start];
      if (!seen.has(target)) ways.push([...way, target]);
      seen.add(target);
    }
  }
  return [];
}
