/**
 * Global ids are rewritten between the clients' namespace and the platform's. The caller knows that the value stands
 * where an id stands; text that merely looks like one never gets here.
 */
import { formatGid, inNamespace, parseGid } from '../../../lib/domain/gid.ts';
import type { GidNamespaces } from '../../plan/identity.ts';

/** An id of the platform's answer as the client gets it. A value that is no id of the platform's stays as it is. */
export function toClientId(value: unknown, namespaces: GidNamespaces): unknown {
  return clientIds(namespaces)(value);
}

/** A function that does the same, for answers with many ids. */
export function clientIds({ client, platform }: GidNamespaces): (value: unknown) => unknown {
  const [from, to] = [`gid://${platform}/`, `gid://${client}/`];
  return (value) =>
    typeof value === 'string' && value.startsWith(from) ? to + value.slice(from.length) : value;
}

/** A client's id as the platform gets it; undefined if it is not of the clients' namespace. */
export function toPlatformId(text: string, { client, platform }: GidNamespaces): string | undefined {
  const gid = parseGid(text);
  return gid?.namespace === client ? formatGid(inNamespace(gid, platform)) : undefined;
}

const REFERENCE_TYPE = /^(list\.)?[a-z_]+_reference$/;

/** Whether values of this metafield type are ids. */
export function isReferenceType(metafieldType: unknown): boolean {
  return typeof metafieldType === 'string' && REFERENCE_TYPE.test(metafieldType);
}

/** A metafield's `jsonValue` of a reference type: one id or a list of them, each through `rewrite`. */
export function rewriteJsonValue(value: unknown, rewrite: (id: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(rewrite) : rewrite(value);
}

/** A metafield's `value` of a reference type: one id, or a JSON list of them as text, each through `rewrite`. */
export function rewriteTextValue(value: unknown, rewrite: (id: unknown) => unknown): unknown {
  const list = parseList(value);
  return list === undefined ? rewrite(value) : JSON.stringify(list.map(rewrite));
}

/** Whether a metafield's value, sent without its type, is one id or a JSON list of ids of the clients'. */
export function looksLikeReference(value: unknown, namespaces: GidNamespaces): boolean {
  const list = parseList(value) ?? [value];
  const isId = (item: unknown) => typeof item === 'string' && toPlatformId(item, namespaces) !== undefined;
  return list.length > 0 && list.every(isId);
}

function parseList(value: unknown): unknown[] | undefined {
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}
