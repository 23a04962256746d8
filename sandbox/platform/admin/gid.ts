/**
 * The platform's global ids: `gid://shopify/<Type>/<tail>`. Tails are opaque: numbers, UUIDs or hashes, possibly with a
 * query.
 */
import { createInvalidIdError } from './api-error.ts';

export type Gid = { type: string; tail: string };

/** Formats a global id. */
export function formatGid(type: string, tail: string | number): string {
  return `gid://shopify/${type}/${tail}`;
}

/**
 * Parses a global id.
 * @returns null when the text is not a global id
 */
export function parseGid(id: string): Gid | null {
  const match = /^gid:\/\/shopify\/([A-Za-z0-9]+)\/(.+)$/.exec(id);
  return match?.[1] === undefined || match[2] === undefined ? null : { type: match[1], tail: match[2] };
}

/** Returns the tail of an id of that type. An id of another type or form is an error of the field. */
export function requireGidTail(id: string, type: string): string {
  const parsedGid = parseGid(id);
  if (parsedGid?.type !== type) throw createInvalidIdError(id);
  return parsedGid.tail;
}

/**
 * Returns the number of an id of that type, without its query.
 * @returns NaN when its tail is not a number
 */
export function requireGidNumber(id: string, type: string): number {
  const tail = requireGidTail(id, type).replace(/\?.*$/, '');
  return /^\d+$/.test(tail) ? Number(tail) : Number.NaN;
}
