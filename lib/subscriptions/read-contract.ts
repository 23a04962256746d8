/** Reads the contract for the response of an operation that changes nothing. */

import { CONTRACT_ROOT_FIELD } from './contract-facts.ts';
import type { ClientSelection, OperationDeps } from './operation.ts';
import type { OperationOutcome } from './operation-error.ts';
import { buildDocumentWithSelection, writeFieldSelections } from './send-change.ts';

/**
 * Reads the contract in the client's selection. Sends one platform request, or none when the client selects no field of
 * it. `contractId` is the platform's global id.
 */
export async function readContract(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  { contractId, selection }: { readonly contractId: string; readonly selection: ClientSelection },
): Promise<OperationOutcome> {
  if (selection.payloadFields.length === 0) return { selectedFields: {}, userErrors: [], errors: [] };
  const { data, errors } = await sendToPlatform({
    document: buildDocumentWithSelection(selection, {
      operationType: 'query',
      operationDeclarations: ['$_svcContractId: ID!'],
      body: writeFieldSelections(selection, CONTRACT_ROOT_FIELD),
    }),
    variables: { ...selection.variables, _svcContractId: contractId },
    mutates: false,
  });
  return { selectedFields: data ?? {}, userErrors: [], errors };
}
