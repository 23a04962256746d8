/** Steps that no change of the service's own states become entries of the timeline. */

import type { EventAction } from '../actions.ts';
import type { Entry, EventFacts } from '../event-record.ts';
import { formatEventNumber } from '../event-record.ts';
import { type ChangedFact, factOf, isValueless } from '../facts.ts';
import { ALL_CYCLES, type FactStep, METHOD_ITSELF } from './compare-observation.ts';
import { isMatch, type RecordedState, type Uncertain } from './recorded-state.ts';

export type Finding = {
  /** What it was found by: part of the ids of its entries. */
  readonly id: string;
  /** When it was found, epoch milliseconds. */
  readonly atMs: number;
  /** When the contract itself was changed, where the platform tells that; epoch milliseconds. */
  readonly contractAtMs?: number;
  readonly steps: readonly FactStep[];
  /** The contract's revision that was read. */
  readonly revisionId?: string;
  /** The payment method that the contract had was revoked. */
  readonly isMethodRevoked?: boolean;
};

const CYCLE = /^billingCycles\.(\d+)\.(.+)$/;

/**
 * The entries of a finding: one for each change of the service's own that may have made some of it, and those of nobody known.
 * Steps of different times are different entries.
 */
export function externalEntries(state: RecordedState, finding: Finding): Entry[] {
  const byOwner = Map.groupBy(finding.steps, ({ field }) =>
    state.uncertain.find(({ pattern }) => isMatch(pattern, field)),
  );
  const parts = [...byOwner].flatMap(([owner, steps]) =>
    [...Map.groupBy(steps, (step) => actionOf(finding, step))].flatMap(([action, ofAction]) =>
      [...Map.groupBy(ofAction, (step) => happenedAtMs(finding, step))].map(([atMs, own]) => ({
        ...{ owner, action, atMs, own },
      })),
    ),
  );
  return parts.map(({ owner, action, atMs, own }, sequence) => {
    const changes = own.map(toFact);
    return toEntry(state, { ...finding, atMs }, { owner, action, changes, sequence });
  });
}

/**
 * When a step happened. The platform's time of the contract says nothing about its orders, nor about a payment method that was
 * replaced or revoked: neither changes the contract, and a charge that ends does. That all orders are others follows from the contract.
 */
function happenedAtMs(finding: Finding, step: FactStep): number {
  const { atMs, contractAtMs = atMs, steps } = finding;
  const isOfContract = (one: FactStep) =>
    !one.field.startsWith('billingCycles') && actionOf(finding, one) === 'changed_elsewhere';
  const follows = step.field === ALL_CYCLES && steps.some(isOfContract);
  return isOfContract(step) || follows ? contractAtMs : atMs;
}

/** The entry of a contract that was made outside the service, with all its facts. */
export function createdEntry(state: RecordedState, finding: Finding): Entry {
  const changes = createdFacts(finding.steps);
  return toEntry(state, finding, { owner: undefined, action: 'subscription_created', changes, sequence: 0 });
}

/** The facts of a contract that is reported as created: those with values. */
export function createdFacts(steps: readonly FactStep[]): ChangedFact[] {
  return steps.filter(({ field }) => !isValueless(field)).map(toFact);
}

/** What is recorded of facts without values are hashes. */
function toFact({ field, before, after }: FactStep): ChangedFact {
  return factOf(field, isValueless(field) ? { before: null, after: null } : { before, after });
}

type Part = {
  readonly owner: Uncertain | undefined;
  readonly action: EventAction;
  readonly changes: readonly ChangedFact[];
  readonly sequence: number;
};

function toEntry(
  { shopId, contract }: RecordedState,
  { id, atMs, revisionId }: Finding,
  { owner, action, changes, sequence }: Part,
): Entry {
  return {
    id: sequence === 0 ? id : `${id}-${sequence}`,
    ...{
      shopId,
      contract,
      action,
      changes,
      createdAtMs: atMs,
      endedAtMs: atMs,
      requestId: id,
      outcome: 'DONE',
    },
    number: formatEventNumber({ createdAtMs: atMs, sequence, contract }),
    actor: owner?.actor ?? { kind: 'UNKNOWN' },
    details: {
      ...detailsOf(changes),
      isEstimate: true,
      ...(revisionId !== undefined && { revisionId }),
      ...(owner && { causedBy: owner.number }),
    },
  };
}

function actionOf({ isMethodRevoked }: Finding, { field, after }: FactStep): EventAction {
  if (field === METHOD_ITSELF) return 'payment_method_replaced';
  const isRemoved = field === 'customerPaymentMethod' && after === null && isMethodRevoked === true;
  return isRemoved ? 'payment_method_removed' : 'changed_elsewhere';
}

/** What the message of the entry names: the order, or the date. */
function detailsOf(changes: readonly ChangedFact[]): EventFacts['details'] {
  const [change, ...others] = changes;
  const [, index, name] = CYCLE.exec(change?.field ?? '') ?? [];
  if (change?.field === 'nextBillingDate' && others.length === 0) return { nextBillingDate: change.after };
  if (index === undefined) return {};
  const isMoved = name === 'billingAttemptExpectedDate';
  return {
    billingCycleIndex: Number(index),
    ...(isMoved && { expectedDate: change?.before ?? null, billingDate: change?.after ?? null }),
  };
}
