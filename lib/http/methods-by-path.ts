import type { Exchange } from './exchange.ts';

/** The methods that the address of a request takes; none if there is nothing at this address. */
export type MethodsAt = (exchange: Exchange) => readonly string[];

/** Looks the methods up in a table of paths. */
export function methodsByPath(methods: Readonly<Record<string, readonly string[]>>): MethodsAt {
  const known = new Map(Object.entries(methods));
  return ({ request }) => known.get(request.path) ?? [];
}
