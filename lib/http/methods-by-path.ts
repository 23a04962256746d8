import type { Exchange } from './exchange.ts';

/** Returns the methods that are allowed at the request's path. Empty when the path does not exist. */
export type MethodsAt = (exchange: Exchange) => readonly string[];

/** Creates such a function from a table of methods by path. */
export function methodsByPath(methods: Readonly<Record<string, readonly string[]>>): MethodsAt {
  const known = new Map(Object.entries(methods));
  return ({ request }) => known.get(request.path) ?? [];
}
