/**
 * `node`, `nodes` and `event`: what has an id is read from the platform by it, but for entries of a timeline. Of them
 * the platform is asked only for objects that stand inside, such as the customer who acted.
 */

import type { RootSpecial } from './plan.ts';
import { type RootContext, type RootDraft, type RootPlace, rootOf, writeRoot } from './root-draft.ts';
import { localSelectionOf } from './selection/build-shape.ts';
import type { FlatField } from './selection/flatten-selection.ts';
import { localParts } from './selection/local-selection.ts';
import { OURS } from './selection/treat-field.ts';
import { declare } from './selection/upstream-writer.ts';
import { writePart } from './selection/write-selection.ts';

const EVENT = 'SubscriptionEvent';

/** Plans such a root. */
export function planObjects(context: RootContext, { key, fields, access }: RootPlace): RootDraft {
  const { writer } = context;
  const { texts, run } = writeRoot(context, { key, fields, isDecided: true, overrides: {} });
  const argument = [...writer.scope].find(
    ({ entry }) => entry[4] === 'NODE' && /^(ID!|\[ID!\]!)$/.test(entry[0]),
  );
  if (argument === undefined) throw new Error(`${key} takes no id`);
  const isList = argument.entry[0].startsWith('[');
  const parts = writeEventParts(context, fields);
  const selection = localSelectionOf(context, fields, EVENT);
  const special: RootSpecial = { kind: 'objects', argument, isList, selection, parts: parts?.special };
  return {
    texts: parts === undefined ? texts : [...texts, parts.text],
    root: {
      ...rootOf(context, key, fields),
      access,
      run,
      upstream: new Map([key, ...(parts ? [parts.special.key] : [])].map((one) => [one, [one]])),
      nullsAll: new Set(),
      read: (data) => data[key],
      special,
    },
  };
}

/** The root that brings the contracts of entries, with what stands inside an entry. */
function writeEventParts({ writer, index }: RootContext, fields: readonly FlatField[]) {
  const parts = fields.flatMap((one) => localParts(writer.client.fragments, { ...one, typeName: EVENT }));
  if (parts.length === 0) return undefined;
  const special = {
    key: `${OURS}AtEvents${index}`,
    ids: `${OURS}EventContracts${index}`,
    run: `${OURS}EventRun${index}`,
  };
  const ids = declare(writer, special.ids, '[ID!]!');
  const run = declare(writer, special.run, 'Boolean!');
  const body = parts.map((part) => writePart(writer, part)).join(' ');
  const text = `${special.key}: nodes(ids: ${ids}) @include(if: ${run}) { ... on SubscriptionContract { ${body} } }`;
  return { text, special };
}
