/**
 * Writes the page size of a list for which the client gives none: the list's default in the schema, or 25. The platform refuses a
 * list without a size. The size is an internal variable if it depends on the request's variables.
 */
import { type FieldNode, Kind, type ValueNode } from 'graphql';
import {
  DEFAULT_PAGE_SIZE,
  type PageArguments,
  withDefaultPageSize,
} from '../../../lib/platform/admin-api/page-size.ts';
import type { Variables } from '../../plan/client-document.ts';
import type { UpstreamWriter } from '../../plan/upstream-document.ts';
import type { ArgumentEntry } from '../../schema/table/schema-table-format.ts';
import { findArgumentEntry } from './type-reference.ts';
import { injectComputedArgument } from './upstream-writer.ts';

const PAGE_ARGUMENTS = ['first', 'last', 'after', 'before'];

type ListContext = {
  readonly typeName: string;
  /** Whether a list without a size, and without a default size in the schema, gets DEFAULT_PAGE_SIZE. */
  readonly addsMissingSize: boolean;
};

/** Returns the texts of `first` and `last` for a list without a size. Empty for any other field. */
export function writePageArguments(
  writer: UpstreamWriter,
  field: FieldNode,
  { typeName, addsMissingSize }: ListContext,
): Readonly<Record<string, string>> {
  const [firstArgument, lastArgument] = ['first', 'last'].map((name) =>
    findArgumentEntry(typeName, field.name.value, name),
  );
  if (firstArgument === undefined || lastArgument === undefined || !(firstArgument[2] || addsMissingSize))
    return {};
  const argumentNodes = collectPageArgumentNodes(field);
  const sizeNodes = [argumentNodes.get('first'), argumentNodes.get('last')];
  if (sizeNodes.some((node) => node !== undefined && !isVariable(node))) return {};
  const defaultSize = Number(firstArgument[2] || DEFAULT_PAGE_SIZE);
  const readPageArguments = (variables: Variables) =>
    withDefaultPageSize(resolvePageArguments(argumentNodes, variables), defaultSize);
  const cursorNodes = argumentNodes.has('before')
    ? [argumentNodes.get('before'), argumentNodes.get('after')]
    : [];
  if (![...sizeNodes, ...cursorNodes].some(isVariable))
    return Object.fromEntries(
      Object.entries(readPageArguments({})).map(([name, value]) => [name, String(value)]),
    );
  const key = [...argumentNodes].map(([name, value]) => `${name}: ${writer.client.textOf(value)}`).sort();
  const injectSize = (name: 'first' | 'last', entry: ArgumentEntry) =>
    injectComputedArgument(writer, {
      key: `${name} of ${defaultSize} with ${key}`,
      entry,
      read: (variables) => readPageArguments(variables)[name],
    });
  const mayReadFromEnd = argumentNodes.has('last') || argumentNodes.has('before');
  return {
    first: injectSize('first', firstArgument),
    ...(mayReadFromEnd && { last: injectSize('last', lastArgument) }),
  };
}

function isVariable(node: ValueNode | undefined): boolean {
  return node?.kind === Kind.VARIABLE;
}

/** Returns the page arguments that the document gives and that are not a literal null. */
function collectPageArgumentNodes(field: FieldNode): ReadonlyMap<string, ValueNode> {
  const pageArguments = (field.arguments ?? []).filter(
    ({ name, value }) => PAGE_ARGUMENTS.includes(name.value) && value.kind !== Kind.NULL,
  );
  return new Map(pageArguments.map(({ name, value }) => [name.value, value]));
}

function resolvePageArguments(
  argumentNodes: ReadonlyMap<string, ValueNode>,
  variables: Variables,
): PageArguments {
  const argumentEntries = [...argumentNodes].map(([name, value]) => [
    name,
    // The value of a cursor does not matter, only that it is given.
    value.kind === Kind.VARIABLE ? variables[value.name.value] : 'given',
  ]);
  return Object.fromEntries(argumentEntries);
}
