/**
 * Rewrites responses as text, without parsing, when the platform's response and the client's differ only in
 * ids. Ids are found by their response keys, so the key of an id must have no other meaning in the document.
 */
import type { FieldShape } from '../plan/answer-shape.ts';
import type { RewriteText } from '../plan/plan.ts';
import type { CompiledRoot } from '../plan/root-kind.ts';
import type { UpstreamDocument } from '../plan/upstream-document.ts';
import { SERVICE_ALIAS } from './selection/service-alias.ts';
import { itemOf, namedType } from './selection/type-reference.ts';

/** Values under a service alias are evaluated or removed, so they must be parsed. */
const OWN_ALIAS = new RegExp(`(?<![$\\w])${SERVICE_ALIAS}\\w*\\s*:`);

/**
 * Returns the function that rewrites responses to a query as text.
 * @returns undefined when the responses must be parsed.
 */
export function textRewriter(
  roots: readonly CompiledRoot[],
  upstream: Pick<UpstreamDocument, 'text'>,
): RewriteText | undefined {
  // A root whose kind keeps something answers in another way.
  const areForwarded = roots.every(({ special, upstream: keys }) => special === undefined && keys.size === 1);
  if (!areForwarded || OWN_ALIAS.test(upstream.text)) return undefined;
  const keys: Keys = { ids: new Set(), others: new Set() };
  const isKeyed = roots.every(({ shape }) => collectKeys(shape, keys));
  const isClear = [...keys.ids].every((key) => !keys.others.has(key));
  return isKeyed && isClear ? rewriter([...keys.ids]) : undefined;
}

type Keys = { readonly ids: Set<string>; readonly others: Set<string> };

/**
 * Collects the keys below a field.
 * @returns false when a value there cannot be identified by its key.
 */
function collectKeys({ key, kind, type, shape, serviceFields }: FieldShape, keys: Keys): boolean {
  const isList = itemOf(type) !== undefined;
  if (serviceFields.length > 0 || kind.startsWith('metafield') || namedType(type) === 'JSON') return false;
  if (kind === 'id' && isList) return false;
  (kind === 'id' ? keys.ids : keys.others).add(key);
  return shape === undefined || (!shape.isRebuilt && shape.fields.every((field) => collectKeys(field, keys)));
}

function rewriter(keys: readonly string[]): RewriteText {
  if (keys.length === 0) return (text) => text;
  let known: { readonly platform: string; readonly pattern: RegExp } | undefined;
  return (text, { client, platform }) => {
    if (known?.platform !== platform) {
      // The pattern finds the id's own text first, and only then looks at the key in front of it.
      const pattern = new RegExp(`(?<="(?:${keys.join('|')})"\\s*:\\s*"gid://)${platform}(?=/)`, 'g');
      known = { platform, pattern };
    }
    return text.replace(known.pattern, client);
  };
}
