/**
 * Reads the billing attempts of one order, and checks ownership. A charge starts with this read, to find an existing
 * attempt that it would duplicate.
 */

import { type ContractFacts, requireOwnership } from '../contract-facts.ts';
import { removeObjectLevel, writeSelectionsThroughObject } from '../contract-of-object.ts';
import type { ClientSelection, OperationDeps } from '../operation.ts';
import type { OperationOutcome } from '../operation-error.ts';
import { readContractState } from '../read-contract-state.ts';
import { buildDocumentWithSelection } from '../send-change.ts';

/** The cycle's index or a date within the cycle. The platform accepts exactly one of the two. */
export type CycleSelector = { readonly index?: number | null; readonly date?: string | null };

export type BillingAttempt = {
  readonly id: string;
  readonly idempotencyKey: string;
  /** ISO 8601 in whole seconds. `completedAt` is null while the attempt is in progress. */
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly state: { readonly __typename: string };
};

export type CycleToCharge = {
  readonly cycleIndex: number;
  /** ISO 8601, like the cycle's start and end. */
  readonly billingAttemptExpectedDate: string;
  readonly cycleStartAt: string;
  readonly cycleEndAt: string;
  readonly skipped: boolean;
  /** BILLED or UNBILLED. */
  readonly status: string;
  readonly billingAttempts: {
    readonly nodes: readonly BillingAttempt[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  };
};

export type ContractToCharge = ContractFacts & {
  readonly customerPaymentMethod: { readonly id: string } | null;
  /** The last ten attempts of the contract, over all cycles. */
  readonly billingAttempts: { readonly nodes: readonly { readonly idempotencyKey: string }[] };
};

type OrderChargeState = {
  /** Undefined when the contract does not exist. */
  readonly contract: ContractToCharge | undefined;
  readonly cycle: CycleToCharge | undefined;
};

/** The payload field of a billing attempt, and the field of its contract. */
export const ATTEMPT_CONTRACT_PATH = {
  objectField: 'subscriptionBillingAttempt',
  contractField: 'subscriptionContract',
};

const CHARGE_CYCLE_SELECTION = `cycleIndex billingAttemptExpectedDate cycleStartAt cycleEndAt skipped status
  billingAttempts(first: 250) { nodes { id idempotencyKey createdAt completedAt state { __typename } } pageInfo { hasNextPage } }`;
const CYCLE_SELECTOR_INPUT = 'billingCycleInput: { contractId: $_svcContractId, selector: $_svcSelector }';

/**
 * Reads contract, cycle and the cycle's attempts in one platform request.
 * @throws FORBIDDEN when the contract is not the acting customer's
 * @throws PLATFORM_UNAVAILABLE when the response leaves the state open
 */
export async function readAttemptsOfOrder(
  deps: OperationDeps,
  { contractId, selector }: { readonly contractId: string; readonly selector: CycleSelector },
): Promise<OrderChargeState> {
  const stateSelection = {
    contractSelection: 'customerPaymentMethod { id } billingAttempts(last: 10) { nodes { idempotencyKey } }',
    rootFields: `_svcCycle: subscriptionBillingCycle(${CYCLE_SELECTOR_INPUT}) { ${CHARGE_CYCLE_SELECTION} }`,
    declarations: ['$_svcSelector: SubscriptionBillingCycleSelector!'],
    variables: { _svcSelector: selector },
  };
  const { state, data } = await readContractState(deps, { contractId, reads: stateSelection });
  requireOwnership(deps, state?.contract);
  const contract = state?.contract as ContractToCharge | undefined;
  return { contract, cycle: (data._svcCycle ?? undefined) as CycleToCharge | undefined };
}

/** Reads an attempt in the client's selection. Sends no platform request when the client selects no field of it. */
export async function readAttemptForClient(
  { sendToPlatform }: OperationDeps,
  { id }: BillingAttempt,
  selection: ClientSelection,
): Promise<OperationOutcome> {
  if (selection.payloadFields.length === 0) return { selectedFields: {}, userErrors: [], errors: [] };
  const { data, errors } = await sendToPlatform({
    document: buildDocumentWithSelection(selection, {
      operationType: 'query',
      operationDeclarations: ['$_svcAttemptId: ID!'],
      body: writeSelectionsThroughObject(
        selection,
        ATTEMPT_CONTRACT_PATH,
        'subscriptionBillingAttempt(id: $_svcAttemptId)',
      ),
    }),
    variables: { ...selection.variables, _svcAttemptId: id },
    mutates: false,
  });
  return {
    ...removeObjectLevel(selection, ATTEMPT_CONTRACT_PATH, { selectedFields: data ?? {}, errors }),
    userErrors: [],
  };
}
