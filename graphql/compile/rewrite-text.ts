/**
 * Some answers need not be read. Where ids are all that differs between the platform's answer and the client's, they
 * are rewritten in its text: they are told by their keys, so a key of an id must name nothing else in the document.
 */
import type { FieldShape } from '../plan/answer-shape.ts';
import type { RewriteText } from '../plan/plan.ts';
import type { CompiledRoot } from '../plan/root-kind.ts';
import type { UpstreamDocument } from '../plan/upstream-document.ts';
import { SERVICE_ALIAS } from './selection/service-alias.ts';
import { itemOf, namedType } from './selection/type-reference.ts';

/** An alias of ours stands for something that is judged or taken out. */
const OWN_ALIAS = new RegExp(`(?<![$\\w])${SERVICE_ALIAS}\\w*\\s*:`);

/** The function that rewrites answers to a query as text; undefined: they have to be read. */
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

/** Collects the keys below a field. False: something stands there that keys do not tell. */
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
