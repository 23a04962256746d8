/** A payment method was changed or removed: the contracts that use it are compared. */
import { unanswered } from '../../platform/admin-api/missing-access.ts';
import { type ContractNumber, contractNumberOf } from '../../timeline/event-record.ts';
import type { ReadDeps, ReadRun } from './read-changed-contracts.ts';

const MAX_CONTRACTS = 25;
const DOCUMENT = `query ContractsOfMethod($id: ID!) { customerPaymentMethod(id: $id, showRevoked: true) {
  subscriptionContracts(first: ${MAX_CONTRACTS}, reverse: true) { nodes { id } } } }`;

type Method = { readonly subscriptionContracts: { readonly nodes: readonly { readonly id: string }[] } };

/** The contracts that use the method, at most 25, newest first. Errors of the platform's client. */
export async function contractsOfMethod(
  { sendWithinBudget, platformGidNamespace }: ReadDeps,
  { store, endAtMs }: ReadRun,
  method: string,
): Promise<ContractNumber[]> {
  const variables = { id: `gid://${platformGidNamespace}/CustomerPaymentMethod/${method}` };
  const operation = { store, document: DOCUMENT, variables, mutates: false, costKey: DOCUMENT, endAtMs };
  const { data, errors } = await sendWithinBudget(operation);
  const found = data?.customerPaymentMethod as Method | null | undefined;
  if (!found && errors.length > 0) throw unanswered('payment method', errors);
  return (found?.subscriptionContracts.nodes ?? []).flatMap(({ id }) => contractNumberOf(id) ?? []);
}
