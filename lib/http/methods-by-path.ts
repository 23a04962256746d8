import type { Exchange } from './exchange.ts';

/** The methods that the request's path allows; empty when the path does not exist. */
export type MethodsAt = (exchange: Exchange) => readonly string[];

/** Finds the methods in a table of paths. */
export function methodsByPath(methods: Readonly<Record<string, readonly string[]>>): MethodsAt {
  const known = new Map(Object.entries(methods));
  return ({ request }) => known.get(request.path) ?? [];
}
