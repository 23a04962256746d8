/** One root field of an operation: how it is treated, and what of it the platform is asked. */

import { actingDecision } from '../policy/acting-customer.ts';
import { planContractDetails } from '../roots/contract-details.ts';
import { planIntervalInfo } from '../roots/interval-info.ts';
import { planLineOptions } from '../roots/line-options/line-options.ts';
import { planNarrowedRoot } from '../roots/narrowed.ts';
import { planObjects } from '../roots/nodes.ts';
import { requiredArgument } from '../roots/required-argument.ts';
import { planServiceInfo } from '../roots/service-info.ts';
import { fieldPolicy } from '../schema/coordinates.ts';
import type { RootAccess, RootSpecial } from './plan.ts';
import type { FlatField } from './selection/flatten-selection.ts';
import { writeArguments } from './selection/write-selection.ts';
import { type RootContext, type RootPlace, rootOf, type WrittenRoot, writeRoot } from './write-root.ts';

/** Plans the root fields that share a response key: they are the same field with the same arguments. */
export function compileRoot(context: RootContext, key: string, fields: readonly FlatField[]): WrittenRoot {
  const { rootType, isActing, writer } = context;
  const [first] = fields;
  const name = first?.field.name.value ?? '';
  if (name.startsWith('__')) return localRoot(context, { key, fields, special: meta(context, fields) });
  const decision = isActing ? actingDecision(`${rootType}.${name}`) : undefined;
  if (decision?.kind === 'closed') return localRoot(context, { key, fields, access: 'closed' });
  if (decision?.kind === 'narrowed') return planNarrowedRoot(context, { key, fields, to: decision.to });
  const access = decision?.kind === 'owned' ? 'owned' : 'open';
  const place = { key, fields, access } as const;
  const plan = rootType === 'QueryRoot' && Object.hasOwn(QUERIES, name) ? QUERIES[name] : undefined;
  if (plan !== undefined) return plan(context, place);
  if (!fieldPolicy(rootType, name)?.isService) return forwardRoot(context, place);
  // An operation of our own: its arguments are evaluated like all others.
  if (first !== undefined) writeArguments(writer, first.field, rootType);
  return localRoot(context, place);
}

/** Queries that are not simply forwarded. */
const QUERIES: Readonly<Record<string, (context: RootContext, place: RootPlace) => WrittenRoot>> = {
  // They take ids of entries of a timeline, among others.
  event: planObjects,
  node: planObjects,
  nodes: planObjects,
  serviceInfo: planServiceInfo,
  subscriptionContractDetails: planContractDetails,
  subscriptionIntervalInfo: planIntervalInfo,
  subscriptionLineOptions: planLineOptions,
};

function forwardRoot(context: RootContext, { key, fields, access }: RootPlace): WrittenRoot {
  const [first] = fields;
  const required = first && requiredArgument(context, first.field);
  const isDecided = context.isActing || required !== undefined;
  const { texts, run } = writeRoot(context, { key, fields, isDecided, overrides: required?.overrides ?? {} });
  return {
    texts,
    root: {
      ...rootOf(context, key, fields),
      access,
      run,
      upstream: new Map([[key, [key]]]),
      nullsAll: new Set(required === undefined ? [] : [key]),
      read: (data) => data[key],
      special: required?.special,
    },
  };
}

/** A root of which nothing is forwarded. */
function localRoot(
  context: RootContext,
  place: Pick<RootPlace, 'key' | 'fields'> & { access?: RootAccess; special?: RootSpecial },
): WrittenRoot {
  const { key, fields, special, access = 'open' } = place;
  return {
    texts: [],
    root: {
      ...rootOf(context, key, fields),
      access,
      special,
      run: [],
      upstream: new Map(),
      nullsAll: new Set(),
      read: () => undefined,
    },
  };
}

function meta({ rootType }: RootContext, fields: readonly FlatField[]): RootSpecial {
  const isTypename = fields[0]?.field.name.value === '__typename';
  return isTypename
    ? { kind: 'typename', value: rootType }
    : { kind: 'introspection', fields: fields.map(({ field }) => field) };
}
