/** The record of a mutation that the platform makes, and the intents with which the timeline records such a change. */

import type { EventAction } from '../../lib/timeline/actions.ts';
import { createFact, type FactChange } from '../../lib/timeline/facts.ts';
import type { ChangeIntent } from '../../lib/timeline/run-change.ts';
import { contentFactText } from '../../lib/timeline/settle/contract-content.ts';
import type {
  ForwardedChange,
  ObservedContract,
  ObservedContractOwner,
  ObservedCycle,
} from '../plan/forwarded-change.ts';
import type { ForwardedMutationRecord } from '../plan/mutation-record.ts';

/**
 * The maximum number of an owner's contracts that get an entry, newest first: more would make one change as expensive
 * as many.
 */
const MAX_RECORDED_CONTRACTS = 25;

type ForwardedMutationDefinition = ForwardedChange &
  Pick<ForwardedMutationRecord, 'name'> & {
    /**
     * The payload's objects that a retry with the same key reads again, or `refusesKey` with the reason why it takes
     * no key.
     */
    readonly objectFields?: ForwardedMutationRecord['objectFields'];
    readonly refusesKey?: string;
  };

/** Creates the record of a forwarded mutation that the timeline records. */
export function createForwardedMutation({
  name,
  objectFields: objects = [],
  refusesKey,
  ...change
}: ForwardedMutationDefinition): ForwardedMutationRecord {
  const idempotency = refusesKey === undefined ? { storedFields: [] } : { refused: refusesKey };
  return { kind: 'forwarded', name, objectFields: objects, idempotency, change };
}

type ExtraIntentFields = Partial<Pick<ChangeIntent, 'details' | 'changes'>>;

export function createIntent(
  action: EventAction,
  contractId: string | null,
  extraFields: ExtraIntentFields = {},
): ChangeIntent {
  return { action, contractId, details: {}, changes: [], ...extraFields };
}

/** Returns the intent on a contract that was read, or none when it does not exist. */
export function createContractIntent(
  contract: unknown,
  action: EventAction,
  extraFields: ExtraIntentFields = {},
): ChangeIntent[] {
  return contract === null ? [] : [createIntent(action, (contract as ObservedContract).id, extraFields)];
}

/**
 * Returns an intent on each contract of a customer or a payment method, except contracts with one of these statuses.
 */
export function createIntentsOfOwner(
  owner: unknown,
  action: EventAction,
  {
    changes = [],
    except: exceptStatuses = [],
  }: { readonly changes?: readonly FactChange[]; readonly except?: readonly string[] },
): ChangeIntent[] {
  const contracts = (owner as ObservedContractOwner | null)?.subscriptionContracts.nodes ?? [];
  return contracts
    .filter(({ status }) => !exceptStatuses.includes(status))
    .slice(0, MAX_RECORDED_CONTRACTS)
    .map(({ id }) => createIntent(action, id, { changes }));
}

/** Returns the details that identify an entry's order. */
export function toCycleDetails(cycle: ObservedCycle | null): ChangeIntent['details'] {
  if (cycle === null) return {};
  return { billingCycleIndex: cycle.cycleIndex, expectedDate: cycle.billingAttemptExpectedDate };
}

/** Returns the fact that changes, or none when the contract already is in the requested state. */
export function listFactChange(
  contract: ObservedContract | null,
  field: string,
  after: string,
): FactChange[] {
  const textBefore = contract === null ? null : (contentFactText(contract, field) ?? null);
  return textBefore === after ? [] : [createFact(field, { before: textBefore, after })];
}

/** Returns the last part of a global id. */
export function parseGidTail(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
