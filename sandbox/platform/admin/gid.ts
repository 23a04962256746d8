/** Global ids of the platform: `gid://shopify/<Type>/<tail>`. Tails are opaque: numbers, UUIDs, hashes, with a query. */
import { invalidId } from './api-error.ts';

export type Gid = { type: string; tail: string };

/** Writes a global id. */
export function gid(type: string, tail: string | number): string {
  return `gid://shopify/${type}/${tail}`;
}

/** Takes one apart, or null if it is none. */
export function parseGid(id: string): Gid | null {
  const match = /^gid:\/\/shopify\/([A-Za-z0-9]+)\/(.+)$/.exec(id);
  return match?.[1] === undefined || match[2] === undefined ? null : { type: match[1], tail: match[2] };
}

/** The tail of an id of that type; an id of another type or shape is an error of the field. */
export function tailOf(id: string, type: string): string {
  const parsed = parseGid(id);
  if (parsed?.type !== type) throw invalidId(id);
  return parsed.tail;
}

/** The number of an id of that type, without its query; NaN if its tail is none. */
export function numberOf(id: string, type: string): number {
  const tail = tailOf(id, type).replace(/\?.*$/, '');
  return /^\d+$/.test(tail) ? Number(tail) : Number.NaN;
}
