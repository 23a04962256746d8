/**
 * A list of the whole store becomes a list of the acting customer's connection. No search text is ever built from
 * parts.
 */
import { type FieldNode, Kind } from 'graphql';
import { answerWalked, errorsOf, fail, refusalOptionsOf } from '../answer/build-answer.ts';
import { refusalError, refusalFrom } from '../answer/refusal.ts';
import { CUSTOMER } from '../compile/ownership/write-ownership-query.ts';
import { SERVICE_ALIAS } from '../compile/selection/service-alias.ts';
import { argumentEntry, fieldType, namedType } from '../compile/selection/type-reference.ts';
import { declare } from '../compile/selection/upstream-writer.ts';
import { bracedSelection, writeArguments } from '../compile/selection/write-selection.ts';
import { includeIf, rootOf } from '../compile/write-root.ts';
import type { Variables } from '../plan/client-document.ts';
import type { RootKind, RunVariable } from '../plan/root-kind.ts';
import { REFUSED, startKnown } from '../run/start-root.ts';

/** The arguments that are refused while a customer is acting, whatever their value. */
const SEARCH = ['query', 'savedSearchId'];

type Narrowed = {
  /** Whether the request searches, or sorts in an order that the connection does not have. */
  readonly isRefused: (variables: Variables) => boolean;
};

export const narrowed: RootKind<Narrowed> = {
  compile(context, { key, fields, decision }) {
    if (decision?.kind !== 'narrowed') throw new Error(`${key} is not narrowed`);
    const { writer } = context;
    const [, connection = ''] = decision.to.split('.');
    const upstreamKey = `${SERVICE_ALIAS}Narrow${context.index}`;
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
        read: (data) => (data[upstreamKey] as Record<string, unknown> | null | undefined)?.[key],
        special: { isRefused: (variables) => refused.some((isGiven) => isGiven(variables)) },
      },
    };
  },
  start(context, root, variables) {
    const known = root.special.isRefused(variables) ? REFUSED : undefined;
    return startKnown(context, root, { variables, known });
  },
  answer(request, root) {
    const { answer } = request;
    const value = root.read(answer?.data ?? {});
    const errors = errorsOf(request, root);
    const isAbsent = (value ?? null) === null && answer?.data !== null;
    // Errors of the customer object refuse the root. Errors of the list are returned.
    const isUnread = errors.length === 0 || errors.some(({ path }) => path.length === 0);
    if (!isAbsent || !isUnread) return answerWalked(request, root, { value, errors });
    const why = refusalFrom(errors.map(({ error }) => error));
    return fail(root, refusalError(why, [root.key], refusalOptionsOf(request)));
  },
};

/** Removes arguments that the connection does not have. The root's default order remains if the connection knows it. */
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

/** Returns tests for arguments that an acting customer may not use here: given, and not null. */
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
