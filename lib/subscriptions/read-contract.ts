/** Reads the contract for the response of an operation that changes nothing. */

import { CONTRACT_ROOT } from './contract-facts.ts';
import type { AnswerSelection, OperationDeps } from './operation.ts';
import type { OperationOutcome } from './operation-error.ts';
import { documentWith, placesOf } from './send-change.ts';

/**
 * Reads the contract in the client's selection. Sends one platform request, or none when the client selects no field of
 * it. `contractId` is the platform's global id.
 */
export async function readContract(
  { ask }: Pick<OperationDeps, 'ask'>,
  { contractId, selection }: { readonly contractId: string; readonly selection: AnswerSelection },
): Promise<OperationOutcome> {
  if (selection.places.length === 0) return { answered: {}, userErrors: [], errors: [] };
  const { data, errors } = await ask({
    document: documentWith(selection, {
      head: 'query',
      own: ['$_svcContractId: ID!'],
      body: placesOf(selection, CONTRACT_ROOT),
    }),
    variables: { ...selection.variables, _svcContractId: contractId },
    mutates: false,
  });
  return { answered: data ?? {}, userErrors: [], errors };
}
