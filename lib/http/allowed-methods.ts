import type { Exchange } from './exchange.ts';

/** Returns the methods that are allowed at the request's path. Empty when the path does not exist. */
export type AllowedMethodsOf = (exchange: Exchange) => readonly string[];

/** Creates the function that reads the allowed methods from a table of methods by path. */
export function createAllowedMethodsOf(
  methods: Readonly<Record<string, readonly string[]>>,
): AllowedMethodsOf {
  const methodsByPath = new Map(Object.entries(methods));
  return ({ request }) => methodsByPath.get(request.path) ?? [];
}
