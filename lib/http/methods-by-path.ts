import type { Exchange } from './exchange.ts';

/** Which methods the address of a request takes: none means that there is nothing at this address. */
export type MethodsAt = (exchange: Exchange) => readonly string[];

/** Answers it from a table of paths, each with its methods. */
export function methodsByPath(methods: Readonly<Record<string, readonly string[]>>): MethodsAt {
  const known = new Map(Object.entries(methods));
  return ({ request }) => known.get(request.path) ?? [];
}
