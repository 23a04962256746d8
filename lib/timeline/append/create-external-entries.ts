/** Creates timeline entries for steps that no change of the service states. */
import { formatPlatformDate } from '../../domain/instant.ts';
import type { EventAction } from '../actions.ts';
import { type CommonEventFields, type EventRecord, formatEventNumber } from '../event-record.ts';
import { createFact, type FactChange, isReportedWithoutValues } from '../facts.ts';
import { ALL_CYCLES_FIELD, type FactTransition, PAYMENT_INSTRUMENT_FIELD } from './compare-observation.ts';
import { matchesFieldPattern, type RecordedState, type UnobservedEffect } from './recorded-state.ts';

export type ExternalChangeFinding = {
  /** The id of the observation or change that found the steps: part of the entries' ids. */
  readonly id: string;
  /** When the steps were found, epoch milliseconds. */
  readonly atMs: number;
  /** When the contract was changed according to the platform, epoch milliseconds. */
  readonly contractAtMs?: number;
  readonly steps: readonly FactTransition[];
  /** The recorded cycles after the observation; without them, those before count. */
  readonly cycles?: RecordedState['cycles'];
  /** The observed revision of the contract. */
  readonly revisionId?: string;
  /** The contract's payment method was revoked. */
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
  const entryParts = [...transitionsByOwner].flatMap(([owner, steps]) =>
    [...Map.groupBy(steps, (step) => actionOfTransition(finding, step))].flatMap(([action, ofAction]) =>
      [...Map.groupBy(ofAction, (step) => transitionHappenedAtMs(finding, step))].map(([atMs, own]) => ({
        ...{ owner, action, atMs, own },
      })),
    ),
  );
  return entryParts.map(({ owner, action, atMs, own }, sequence) => {
    const factChanges = own.map(toFactChange);
    return toExternalEntry(state, { ...finding, atMs }, { owner, action, changes: factChanges, sequence });
  });
}

/**
 * Returns when a step happened. The platform's time of the contract does not apply to orders, or to a payment method
 * that was replaced or revoked: these do not change the contract. A restart of all orders follows from the contract.
 */
function transitionHappenedAtMs(finding: ExternalChangeFinding, step: FactTransition): number {
  const { atMs, contractAtMs = atMs, steps } = finding;
  const isPolicyTransition = (one: FactTransition) =>
    !one.field.startsWith('billingCycles') && actionOfTransition(finding, one) === 'changed_elsewhere';
  const followsFromPolicy = step.field === ALL_CYCLES_FIELD && steps.some(isPolicyTransition);
  return isPolicyTransition(step) || followsFromPolicy ? contractAtMs : atMs;
}

/** Returns the entry of a contract that was created outside the service, with all its facts. */
export function createExternalCreationEntry(
  state: RecordedState,
  finding: ExternalChangeFinding,
): EventRecord {
  const createdFacts = listCreatedFacts(finding.steps);
  return toExternalEntry(state, finding, {
    owner: undefined,
    action: 'subscription_created',
    changes: createdFacts,
    sequence: 0,
  });
}

/** Returns the facts of a contract that is reported as created: those with values. */
export function listCreatedFacts(steps: readonly FactTransition[]): FactChange[] {
  return steps.filter(({ field }) => !isReportedWithoutValues(field)).map(toFactChange);
}

/** Facts without values are recorded as hashes, which no entry contains. */
function toFactChange({ field, before, after }: FactTransition): FactChange {
  return isReportedWithoutValues(field) ? createFact(field) : createFact(field, { before, after });
}

type ExternalEntryGroup = {
  readonly owner: UnobservedEffect | undefined;
  readonly action: EventAction;
  readonly changes: readonly FactChange[];
  readonly sequence: number;
};

function toExternalEntry(
  { shopId, contract, cycles: cyclesBefore }: RecordedState,
  { id, atMs, revisionId, cycles = cyclesBefore }: ExternalChangeFinding,
  { owner, action, changes, sequence }: ExternalEntryGroup,
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
    actor: owner?.actor ?? { kind: 'UNKNOWN' },
    details: {
      ...billingCycleDetails(changes, cycles),
      isEstimate: true,
      ...(revisionId !== undefined && { revisionId }),
      ...(owner && { causedBy: owner.number }),
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

/** Returns the order or the date that the entry's message names. */
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
