/**
 * `node`, `nodes` and `event`: what has an id is read from the platform by it, but for entries of a timeline. Of them
 * the platform is asked only for objects that stand inside, such as the customer who acted.
 */

import type { RootSpecial } from '../compile/plan.ts';
import { serviceSelectionOf } from '../compile/selection/build-answer-shape.ts';
import type { FlatField } from '../compile/selection/flatten-selection.ts';
import { serviceParts } from '../compile/selection/service-selection.ts';
import { OURS } from '../compile/selection/treat-field.ts';
import { declare } from '../compile/selection/upstream-writer.ts';
import { writePart } from '../compile/selection/write-selection.ts';
import {
  type RootContext,
  type RootPlace,
  rootOf,
  type WrittenRoot,
  writeRoot,
} from '../compile/write-root.ts';

const EVENT = 'SubscriptionEvent';

/** Plans such a root. */
export function planObjects(context: RootContext, { key, fields, access }: RootPlace): WrittenRoot {
  const { writer } = context;
  const { texts, run } = writeRoot(context, { key, fields, isDecided: true, overrides: {} });
  const argument = [...writer.scope].find(
    ({ entry }) => entry[4] === 'NODE' && /^(ID!|\[ID!\]!)$/.test(entry[0]),
  );
  if (argument === undefined) throw new Error(`${key} takes no id`);
  const isList = argument.entry[0].startsWith('[');
  const parts = writeEventParts(context, fields);
  const selection = serviceSelectionOf(context, fields, EVENT);
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
  const parts = fields.flatMap((one) => serviceParts(writer.client.fragments, { ...one, typeName: EVENT }));
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
