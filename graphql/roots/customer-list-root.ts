/**
 * Compiles the roots that list objects of the whole store, such as `orders`, for a request that acts for a customer. The
 * list is read from the customer object's connection of the same objects, so that the platform returns that customer's
 * objects only. Searches are refused, and so are sort orders that the connection does not have.
 */
import { type FieldNode, Kind } from 'graphql';
import { CUSTOMER_ID_VARIABLE } from '../compile/ownership/write-ownership-query.ts';
import { SERVICE_ALIAS } from '../compile/selection/service-alias.ts';
import { findArgumentEntry, typeOfField, unwrapTypeReference } from '../compile/selection/type-reference.ts';
import { declareVariable } from '../compile/selection/upstream-writer.ts';
import { writeArguments, writeBracedSelection } from '../compile/selection/write-selection.ts';
import { buildUnsentRoot, writeIncludeDirective } from '../compile/write-root.ts';
import type { Variables } from '../plan/client-document.ts';
import type { RootHandler, RootRunVariable } from '../plan/root-handler.ts';
import {
  buildPlatformValueResponse,
  createErrorResponse,
  listPlatformErrorsBelow,
  toRefusalOptions,
} from '../response/build-response.ts';
import { classifyRefusal, createRefusalError } from '../response/refusal.ts';
import { FORBIDDEN_OUTCOME, startWithArguments } from '../run/start-root.ts';

/** The arguments that are refused in a request that acts for a customer, whatever their value, except null. */
const REFUSED_SEARCH_ARGUMENTS = ['query', 'savedSearchId'];

type CustomerListCompiled = {
  /** Whether the request searches, or sorts in an order that the connection does not have. */
  readonly isRefused: (variables: Variables) => boolean;
};

export const customerListRoot: RootHandler<CustomerListCompiled> = {
  compile(context, { key, fields, decision }) {
    if (decision?.kind !== 'narrowed') throw new Error(`${key} is not narrowed`);
    const { writer } = context;
    const [, connectionField = ''] = decision.to.split('.');
    const upstreamKey = `${SERVICE_ALIAS}Narrow${context.index}`;
    const runVariables: RootRunVariable[] = [];
    const rootTexts = fields.map(({ field, when }, occurrence) => {
      const customerIdVariable = declareVariable(writer, CUSTOMER_ID_VARIABLE, 'ID!');
      const include = writeIncludeDirective(context, { isDecided: true, when, occurrence }, runVariables);
      const typeName = unwrapTypeReference(typeOfField('Customer', connectionField) ?? '');
      const selection = writeBracedSelection(writer, field, { typeName, isFromCustomer: true });
      const args = writeArguments(
        writer,
        field,
        'QueryRoot',
        chooseConnectionArguments(field, connectionField),
      );
      return `${upstreamKey}: customer(id: ${customerIdVariable})${include} { ${key}: ${connectionField}${args}${selection} }`;
    });
    const argumentRefusals = fields.flatMap(({ field }) => createArgumentRefusals(field, connectionField));
    return {
      texts: rootTexts,
      root: {
        ...buildUnsentRoot(context, key, fields),
        access: 'open',
        runVariables,
        clientPathByPlatformKey: new Map([[upstreamKey, []]]),
        read: (data) => (data[upstreamKey] as Record<string, unknown> | null | undefined)?.[key],
        special: { isRefused: (variables) => argumentRefusals.some((isGiven) => isGiven(variables)) },
      },
    };
  },
  start(context, root, variables) {
    const refusedOutcome = root.special.isRefused(variables) ? FORBIDDEN_OUTCOME : undefined;
    return startWithArguments(context, root, { variables, knownOutcome: refusedOutcome });
  },
  respond(request, root) {
    const { platformResponse } = request;
    const listValue = root.read(platformResponse?.data ?? {});
    const errors = listPlatformErrorsBelow(request, root);
    const isListNull = (listValue ?? null) === null && platformResponse?.data !== null;
    // Whether the customer itself could not be read: the list is null without an error (the customer does not exist),
    // or with an error at the customer (an empty path). Then the root is refused. The client gets errors inside the
    // list.
    const isCustomerUnread = errors.length === 0 || errors.some(({ path }) => path.length === 0);
    if (!isListNull || !isCustomerUnread)
      return buildPlatformValueResponse(request, root, { value: listValue, errors });
    const refusal = classifyRefusal(errors.map(({ error }) => error));
    return createErrorResponse(root, createRefusalError(refusal, [root.key], toRefusalOptions(request)));
  },
};

/**
 * Returns the arguments that the connection needs in place of the client's: undefined leaves an argument out, because the
 * connection does not have it. If the connection has `sortKey` and the client gave none, adds the root's default order.
 */
function chooseConnectionArguments(field: FieldNode, connection: string) {
  const argumentOverrides: Record<string, string | undefined> = {};
  for (const { name } of field.arguments ?? []) {
    const isUnknown = findArgumentEntry('Customer', connection, name.value) === undefined;
    if (isUnknown || REFUSED_SEARCH_ARGUMENTS.includes(name.value)) argumentOverrides[name.value] = undefined;
  }
  const defaultSortKey = findArgumentEntry('QueryRoot', field.name.value, 'sortKey')?.[2];
  const hasSortKeyArgument = findArgumentEntry('Customer', connection, 'sortKey') !== undefined;
  const sortKeyArgument = field.arguments?.find(({ name }) => name.value === 'sortKey');
  if (defaultSortKey && hasSortKeyArgument && sortKeyArgument === undefined)
    argumentOverrides.sortKey = defaultSortKey;
  return argumentOverrides;
}

/**
 * Returns a test for each argument that an acting customer may not use here. It returns true when the argument's value is
 * not null, so that the request is refused.
 */
function createArgumentRefusals(field: FieldNode, connection: string): ((variables: Variables) => boolean)[] {
  const isArgumentRefused = (name: string) =>
    REFUSED_SEARCH_ARGUMENTS.includes(name) ||
    (name === 'sortKey' && findArgumentEntry('Customer', connection, name) === undefined);
  return (field.arguments ?? [])
    .filter(({ name }) => isArgumentRefused(name.value))
    .map(({ value }) => {
      if (value.kind !== Kind.VARIABLE) return () => value.kind !== Kind.NULL;
      return (variables) => (variables[value.name.value] ?? null) !== null;
    });
}
