/** Finds the lists of a customer's contracts with next orders in a document. */
import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import type { ClientDocument, FlattenedField, IncludeCondition, Variables } from '../plan/client-document.ts';
import type { ContractList } from '../plan/cycle-prefetch.ts';
import { flattenSelection } from './selection/flatten-selection.ts';

/** Returns the lists in the operation. The compiler has limited the number of its fields before. */
export function findContractLists(client: ClientDocument): ContractList[] {
  return findContractListsIn(client, client.operation.selectionSet, []);
}

function findContractListsIn(
  client: ClientDocument,
  set: SelectionSetNode,
  conditionsAbove: readonly IncludeCondition[],
): ContractList[] {
  return flattenSelection(client, set, conditionsAbove).flatMap(({ field, when }) => {
    if (field.selectionSet === undefined) return [];
    if (field.name.value !== 'subscriptionContracts')
      return findContractListsIn(client, field.selectionSet, when);
    const nextOrderFields = findNextOrderFields(client, field.selectionSet, when);
    if (nextOrderFields.length === 0) return [];
    return [{ when: nextOrderFields.map((one) => one.when), readSize: createSizeReader(field) }];
  });
}

/** Returns the fields `nextOrder` of a connection's contracts, below `nodes` or `edges { node }`. */
function findNextOrderFields(
  client: ClientDocument,
  set: SelectionSetNode,
  conditionsAbove: readonly IncludeCondition[],
): FlattenedField[] {
  return flattenSelection(client, set, conditionsAbove).flatMap((one) => {
    const { field, when } = one;
    if (field.name.value === 'nextOrder') return [one];
    const isConnectionLevel = ['nodes', 'edges', 'node'].includes(field.name.value);
    return isConnectionLevel && field.selectionSet !== undefined
      ? findNextOrderFields(client, field.selectionSet, when)
      : [];
  });
}

/** Returns the function that reads the page size of a list. Without a size it returns Infinity. */
function createSizeReader(field: FieldNode): ContractList['readSize'] {
  const readArgument = (argument: string, variables: Variables): unknown => {
    const valueNode = field.arguments?.find(({ name }) => name.value === argument)?.value;
    if (valueNode?.kind === Kind.VARIABLE) return variables[valueNode.name.value];
    if (valueNode?.kind === Kind.INT) return Number(valueNode.value);
    return valueNode?.kind === Kind.STRING ? valueNode.value : undefined;
  };
  return (variables) => {
    const cursors = [readArgument('after', variables), readArgument('before', variables)];
    if (cursors.some((cursor) => typeof cursor === 'string')) return 0;
    const pageSizes = [readArgument('first', variables), readArgument('last', variables)].filter(
      (size) => typeof size === 'number',
    );
    return pageSizes.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...pageSizes);
  };
}
