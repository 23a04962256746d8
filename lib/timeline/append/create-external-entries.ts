/** Creates timeline entries for changes of facts that no change of the service has recorded. */
import { formatPlatformDate } from '../../domain/instant.ts';
import type { EventAction } from '../actions.ts';
import { type CommonEventFields, type EventRecord, formatEventNumber } from '../event-record.ts';
import { createFact, type FactChange, isReportedWithoutValues } from '../facts.ts';
import { ALL_CYCLES_FIELD, type FactTransition, PAYMENT_INSTRUMENT_FIELD } from './compare-observation.ts';
import { matchesFieldPattern, type RecordedState, type UnobservedEffect } from './recorded-state.ts';

export type ExternalChangeFinding = {
  /** The id of the observation, or of the service's change, that showed the steps: the entries' ids start with it. */
  readonly id: string;
  /** When the steps were found, epoch milliseconds. */
  readonly atMs: number;
  /** When the contract was last changed according to the platform, epoch milliseconds; absent when that is no evidence. */
  readonly contractAtMs?: number;
  readonly steps: readonly FactTransition[];
  /** The observed revision of the contract. */
  readonly revisionId?: string;
  /** Whether the contract's payment method was revoked. */
  readonly isMethodRevoked?: boolean;
};

const CYCLE_FIELD_PATTERN = /^billingCycles\.(\d+)\.(.+)$/;

/**
 * Groups the steps of a finding into entries: one entry for each combination of action, time, and change of the service
 * that may have caused the steps.
 */
export function createExternalEntries(state: RecordedState, finding: ExternalChangeFinding): EventRecord[] {
  const transitionsByOwner = Map.groupBy(finding.steps, ({ field }) =>
    state.uncertain.find(({ pattern }) => matchesFieldPattern(pattern, field)),
  );
  const entryParts = [...transitionsByOwner].flatMap(([possibleCause, steps]) =>
    [...Map.groupBy(steps, (step) => actionOfTransition(finding, step))].flatMap(([action, stepsOfAction]) =>
      [...Map.groupBy(stepsOfAction, (step) => transitionHappenedAtMs(finding, step))].map(
        ([atMs, stepsOfEntry]) => ({
          ...{ owner: possibleCause, action, atMs, own: stepsOfEntry },
        }),
      ),
    ),
  );
  return entryParts.map(({ owner: possibleCause, action, atMs, own: stepsOfEntry }, sequence) => {
    const factChanges = stepsOfEntry.map(toFactChange);
    return toExternalEntry(
      state,
      { ...finding, atMs },
      { possibleCause, action, changes: factChanges, sequence },
    );
  });
}

/**
 * Returns when a step happened. The platform's time of the contract's last change applies neither to steps of orders nor to
 * a payment method that was replaced or revoked, which do not change the contract. It does apply to a restart of all orders.
 */
function transitionHappenedAtMs(finding: ExternalChangeFinding, step: FactTransition): number {
  const { atMs, contractAtMs = atMs, steps } = finding;
  const isContractTransition = (one: FactTransition) =>
    !one.field.startsWith('billingCycles') && actionOfTransition(finding, one) === 'changed_elsewhere';
  const isRestartOfOrders = step.field === ALL_CYCLES_FIELD && steps.some(isContractTransition);
  return isContractTransition(step) || isRestartOfOrders ? contractAtMs : atMs;
}

/** Returns the entry of a contract that was created outside the service, with all its facts. */
export function createExternalCreationEntry(
  state: RecordedState,
  finding: ExternalChangeFinding,
): EventRecord {
  const createdFacts = listCreatedFacts(finding.steps);
  return toExternalEntry(state, finding, {
    possibleCause: undefined,
    action: 'subscription_created',
    changes: createdFacts,
    sequence: 0,
  });
}

/** Returns the facts that the entry of a created contract contains: those that are reported with values. */
export function listCreatedFacts(steps: readonly FactTransition[]): FactChange[] {
  return steps.filter(({ field }) => !isReportedWithoutValues(field)).map(toFactChange);
}

/** Converts a step to a fact of an entry. Facts that are reported without values are recorded as hashes, which no entry has. */
function toFactChange({ field, before, after }: FactTransition): FactChange {
  return isReportedWithoutValues(field) ? createFact(field) : createFact(field, { before, after });
}

type ExternalEntryGroup = {
  readonly possibleCause: UnobservedEffect | undefined;
  readonly action: EventAction;
  readonly changes: readonly FactChange[];
  readonly sequence: number;
};

function toExternalEntry(
  { shopId, contract, cycles }: RecordedState,
  { id, atMs, revisionId }: ExternalChangeFinding,
  { possibleCause, action, changes, sequence }: ExternalEntryGroup,
): EventRecord {
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
    actor: possibleCause?.actor ?? { kind: 'UNKNOWN' },
    details: {
      ...billingCycleDetails(changes, cycles),
      isEstimate: true,
      ...(revisionId !== undefined && { revisionId }),
      ...(possibleCause && { causedBy: possibleCause.number }),
    },
  };
}

function actionOfTransition(
  { isMethodRevoked }: ExternalChangeFinding,
  { field, after }: FactTransition,
): EventAction {
  if (field === PAYMENT_INSTRUMENT_FIELD) return 'payment_method_replaced';
  const isMethodRemoved = field === 'customerPaymentMethod' && after === null && isMethodRevoked === true;
  return isMethodRemoved ? 'payment_method_removed' : 'changed_elsewhere';
}

/** Returns the details of the order, or of the next billing date, that the entry's message names. */
function billingCycleDetails(
  changes: readonly FactChange[],
  cycles: RecordedState['cycles'],
): CommonEventFields['details'] {
  const [firstChange, ...otherChanges] = changes;
  const [, cycleIndex, factName] = CYCLE_FIELD_PATTERN.exec(firstChange?.field ?? '') ?? [];
  if (firstChange?.field === 'nextBillingDate' && otherChanges.length === 0)
    return { nextBillingDate: firstChange.after };
  if (cycleIndex === undefined) return {};
  const { end, date = end } = cycles[cycleIndex] ?? {};
  const isMoved = factName === 'billingAttemptExpectedDate';
  return {
    billingCycleIndex: Number(cycleIndex),
    ...(!isMoved && date !== undefined && { expectedDate: formatPlatformDate(date * 1000) }),
    ...(isMoved && { expectedDate: firstChange?.before ?? null, billingDate: firstChange?.after ?? null }),
  };
}
