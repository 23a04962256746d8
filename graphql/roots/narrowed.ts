/**
 * A list of the whole store, asked for by an acting customer: read through that customer's own connection. No
 * search string is ever put together from parts.
 */
import { type FieldNode, Kind } from 'graphql';
import type { RunVariable } from '../compile/plan.ts';
import { CUSTOMER } from '../compile/proofs/write-proof.ts';
import type { FlatField } from '../compile/selection/flatten-selection.ts';
import { OURS } from '../compile/selection/treat-field.ts';
import { fieldType, namedType } from '../compile/selection/type-reference.ts';
import { declare, type Variables } from '../compile/selection/upstream-writer.ts';
import { argumentEntry, writeArguments } from '../compile/selection/write-selection.ts';
import {
  bracedSelection,
  includeIf,
  type RootContext,
  rootOf,
  type WrittenRoot,
} from '../compile/write-root.ts';

/** Refused with a customer, whatever their value. */
const SEARCH = ['query', 'savedSearchId'];

type NarrowedPlace = {
  readonly key: string;
  readonly fields: readonly FlatField[];
  /** For example `customer.orders`. */
  readonly to: string;
};

/** Plans such a root. */
export function planNarrowedRoot(context: RootContext, { key, fields, to }: NarrowedPlace): WrittenRoot {
  const { writer } = context;
  const [, connection = ''] = to.split('.');
  const upstreamKey = `${OURS}Narrow${context.index}`;
  const run: RunVariable[] = [];
  const texts = fields.map(({ field, when }, place) => {
    const customer = declare(writer, CUSTOMER, 'ID!');
    const include = includeIf(context, { isDecided: true, when, place }, run);
    const typeName = namedType(fieldType('Customer', connection) ?? '');
    const selection = bracedSelection(writer, field, { typeName, isFromCustomer: true });
    const args = writeArguments(writer, field, 'QueryRoot', argumentsFor(field, connection));
    return `${upstreamKey}: customer(id: ${customer})${include} { ${key}: ${connection}${args}${selection} }`;
  });
  const refused = fields.flatMap(({ field }) => refusedArguments(field, connection));
  return {
    texts,
    root: {
      ...rootOf(context, key, fields),
      access: 'open',
      run,
      upstream: new Map([[upstreamKey, []]]),
      nullsAll: new Set(),
      read: (data) => (data[upstreamKey] as Record<string, unknown> | null | undefined)?.[key],
      special: {
        kind: 'narrowed',
        isRefused: (variables) => refused.some((isGiven) => isGiven(variables)),
      },
    },
  };
}

/** What the connection does not take goes; the root's default order stays where the connection knows it. */
function argumentsFor(field: FieldNode, connection: string) {
  const overrides: Record<string, string | undefined> = {};
  for (const { name } of field.arguments ?? []) {
    const isUnknown = argumentEntry('Customer', connection, name.value) === undefined;
    if (isUnknown || SEARCH.includes(name.value)) overrides[name.value] = undefined;
  }
  const order = argumentEntry('QueryRoot', field.name.value, 'sortKey')?.[2];
  const isKnown = argumentEntry('Customer', connection, 'sortKey') !== undefined;
  const given = field.arguments?.find(({ name }) => name.value === 'sortKey');
  if (order && isKnown && given === undefined) overrides.sortKey = order;
  return overrides;
}

/** Tests for arguments that an acting customer may not use here: given, and not null. */
function refusedArguments(field: FieldNode, connection: string): ((variables: Variables) => boolean)[] {
  const isRefused = (name: string) =>
    SEARCH.includes(name) ||
    (name === 'sortKey' && argumentEntry('Customer', connection, name) === undefined);
  return (field.arguments ?? [])
    .filter(({ name }) => isRefused(name.value))
    .map(({ value }) => {
      if (value.kind !== Kind.VARIABLE) return () => value.kind !== Kind.NULL;
      return (variables) => (variables[value.name.value] ?? null) !== null;
    });
}
