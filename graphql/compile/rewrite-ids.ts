/**
 * Rewrites the ids in a response as text, without parsing it, if the platform's response and the client's differ only in
 * the namespace of ids. Ids are found by their response keys, so no other field of the document may have the key of an id.
 */

import type { RewriteIds } from '../plan/plan.ts';
import type { FieldShape } from '../plan/response-shape.ts';
import type { CompiledRoot } from '../plan/root-handler.ts';
import type { UpstreamDocument } from '../plan/upstream-document.ts';
import { SERVICE_ALIAS } from './selection/service-alias.ts';
import { itemTypeOfList, unwrapTypeReference } from './selection/type-reference.ts';

/** Matches a service alias in an upstream document. The service evaluates or removes the values under it, so the response must be parsed. */
const SERVICE_ALIAS_PATTERN = new RegExp(`(?<![$\\w])${SERVICE_ALIAS}\\w*\\s*:`);

/**
 * Returns the function that replaces the platform's namespace by the client's in the text of a response.
 * @returns undefined when responses to this query must be parsed
 */
export function createIdRewriter(
  roots: readonly CompiledRoot[],
  upstream: Pick<UpstreamDocument, 'text'>,
): RewriteIds | undefined {
  // Roots with `special` or with several upstream fields build their response in code.
  const areForwarded = roots.every(
    ({ special, clientPathByPlatformKey: keys }) => special === undefined && keys.size === 1,
  );
  if (!areForwarded || SERVICE_ALIAS_PATTERN.test(upstream.text)) return undefined;
  const keys: ResponseKeys = { ids: new Set(), others: new Set() };
  const areAllKeysCollected = roots.every(({ shape }) => collectKeys(shape, keys));
  const areIdKeysDistinct = [...keys.ids].every((key) => !keys.others.has(key));
  return areAllKeysCollected && areIdKeysDistinct ? createNamespaceReplacer([...keys.ids]) : undefined;
}

type ResponseKeys = { readonly ids: Set<string>; readonly others: Set<string> };

/**
 * Adds the response keys of a field and its subfields to `keys`: those of ids, and those of other fields.
 * @returns false when one of these values must be parsed: service fields, metafields, JSON, lists of ids, rebuilt payloads
 */
function collectKeys({ key, kind, type, shape, serviceFields }: FieldShape, keys: ResponseKeys): boolean {
  const isListType = itemTypeOfList(type) !== undefined;
  if (serviceFields.length > 0 || kind.startsWith('metafield') || unwrapTypeReference(type) === 'JSON')
    return false;
  if (kind === 'id' && isListType) return false;
  (kind === 'id' ? keys.ids : keys.others).add(key);
  return shape === undefined || (!shape.isRebuilt && shape.fields.every((field) => collectKeys(field, keys)));
}

function createNamespaceReplacer(idKeys: readonly string[]): RewriteIds {
  if (idKeys.length === 0) return (text) => text;
  let latestPattern: { readonly platform: string; readonly pattern: RegExp } | undefined;
  return (text, { client, platform }) => {
    if (latestPattern?.platform !== platform) {
      // Matches the platform's namespace in the gid of an id key, for example `shopify` in `"id":"gid://shopify/`. The
      // lookbehind keeps key and `gid://` out of the match, so only the namespace is replaced.
      const idPattern = new RegExp(`(?<="(?:${idKeys.join('|')})"\\s*:\\s*"gid://)${platform}(?=/)`, 'g');
      latestPattern = { platform, pattern: idPattern };
    }
    return text.replace(latestPattern.pattern, client);
  };
}
