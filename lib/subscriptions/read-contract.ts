/** The contract as it is, in the client's selection: the answer of an operation that has nothing to change. */
import { type AnswerSelection, documentWith } from './answer-selection.ts';
import type { OperationDeps } from './operation.ts';
import type { OperationOutcome } from './operation-error.ts';
import { contractPlaces } from './read-contract-state.ts';

/** One platform request; none if nothing of the contract is selected. `contractId` as the platform names it. */
export async function readContract(
  { ask }: Pick<OperationDeps, 'ask'>,
  { contractId, selection }: { readonly contractId: string; readonly selection: AnswerSelection },
): Promise<OperationOutcome> {
  if (selection.places.length === 0) return { answered: {}, userErrors: [], errors: [] };
  const { data, errors } = await ask({
    document: documentWith(selection, {
      head: 'query',
      own: ['$_svcContractId: ID!'],
      body: contractPlaces(selection),
    }),
    variables: { ...selection.variables, _svcContractId: contractId },
    mutates: false,
  });
  return { answered: data ?? {}, userErrors: [], errors };
}
