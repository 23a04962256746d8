/** The payload of one of the service's own mutations with all its fields, to be compared with what a query shows. */
import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { getSchema } from '../../../graphql/schema/schema.ts';
import { documentsOf, leavesOf } from '../../graphql/world/everything.ts';
import { ADA } from '../../graphql/world/harness.ts';
import type { Acting } from './operation-world.ts';

const DEPTH = 4;
const SIZE = 400;

/** A mutation's document, and a query for the contract alone with what the payload shows of it, if it does. */
export type WholeDocument = { readonly mutation: string; readonly query: string | undefined };

/** Runs the mutation of `document` again with all fields of the platform's payload, in several requests if needed. */
export function wholeDocuments(document: string, as: Acting): WholeDocument[] {
  const schema = getSchema(as === 'store' ? 'admin' : 'customer');
  const type = schema.getMutationType();
  const field = type?.getFields()[rootOf(document).name.value];
  if (!type || !field) throw new Error('no such mutation');
  const leaves = leavesOf({ schema, depth: DEPTH, customer: ADA }, { type, field });
  return documentsOf('mutation', leaves, SIZE).map((whole) => {
    const { selectionSet } = rootOf(whole);
    const contract = fieldsOf(selectionSet).find(({ name }) => name.value === 'contract')?.selectionSet;
    return {
      mutation: withPayload(document, selectionSet),
      query:
        contract && `query ($contractId: ID!) { subscriptionContract(id: $contractId) ${print(contract)} }`,
    };
  });
}

/** Returns the paths of selected fields that are missing in a response. */
export function missingIn(document: string, data: unknown): string[] {
  const search = (set: SelectionSetNode | undefined, value: unknown, path: string): string[] => {
    if (Array.isArray(value)) return value.flatMap((one, index) => search(set, one, `${path}.${index}`));
    if (set === undefined || typeof value !== 'object' || value === null) return [];
    return fieldsOf(set).flatMap(({ name, selectionSet }) =>
      name.value in value
        ? search(selectionSet, (value as Record<string, unknown>)[name.value], `${path}.${name.value}`)
        : [`${path}.${name.value}`],
    );
  };
  return search(rootOf(document).selectionSet, data, '');
}

function rootOf(document: string): FieldNode {
  const [operation] = parse(document).definitions;
  const [root] = (operation as OperationDefinitionNode).selectionSet.selections;
  return root as FieldNode;
}

/** Without those below fragments, which objects of another type do not have. */
function fieldsOf(set: SelectionSetNode | undefined): FieldNode[] {
  return (set?.selections ?? []).filter((one) => one.kind === Kind.FIELD);
}

function withPayload(document: string, selectionSet: SelectionSetNode | undefined): string {
  const root = rootOf(document).name.value;
  return print(
    visit(parse(document), {
      Field: (node) => (node.name.value === root && selectionSet ? { ...node, selectionSet } : undefined),
    }),
  );
}
