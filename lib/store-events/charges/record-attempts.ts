/**
 * Records billing attempts that a webhook reports, or that the reconciliation finds. An attempt that the service made has an
 * entry, or an intent that will get one; any other attempt gets an entry with the time of its creation.
 */

import { gidTail } from '../../domain/gid.ts';
import { mapWithConcurrency } from '../../domain/map-with-concurrency.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { toAttemptOutcome } from '../../timeline/attempt-outcome.ts';
import { type EventRecord, findTimelineEntry, formatEventNumber } from '../../timeline/event-record.ts';
import {
  isEntryNotAppended,
  type OpenIntent,
  recordEntryWithoutIntent,
  SETTLE_INTENT_AFTER_MS,
  type TimelineWriteDeps,
} from '../../timeline/intent.ts';
import {
  chargeEntryFields,
  claimBillingAttempt,
  findRecordOfAttempt,
  reportOutcomeToBilling,
} from '../../timeline/record-charge.ts';
import {
  type OpenCharge,
  REREAD_INTERVAL_OF_OLD_CHARGE_MS,
  SETTLING_CONCURRENCY,
  settleOpenCharge,
  toOpenCharge,
} from '../../timeline/settle/settle-open-charges.ts';
import { readQueuedChanges } from '../contracts/queued-changes.ts';
import type { ReadContractsDeps, StoreReadRun } from '../contracts/read-contracts.ts';
import {
  type AttemptWithContract,
  readAttemptsByNumber,
  readBillingCyclesOfAttempts,
} from './read-attempts.ts';

export type RecordAttemptsDeps = ReadContractsDeps & TimelineWriteDeps;

/** How long an attempt that the service made is left alone, so that the service can record it from its intent. */
const MAX_CHARGE_RECORDING_WAIT_MS = 900_000;

/**
 * Records attempts by their numbers, at most MAX_ATTEMPTS_PER_REQUEST. `wait`: the attempt has to be recorded later, because
 * the service is about to record it, or its earlier entry is not appended yet. Idempotent.
 * @throws the errors of the platform's client, TEMPORARILY_UNAVAILABLE
 */
export async function recordAttempts(
  deps: RecordAttemptsDeps,
  run: StoreReadRun,
  attemptNumbers: readonly string[],
): Promise<('done' | 'wait')[]> {
  return recordObservedAttempts(deps, run, await readAttemptsByNumber(deps, run, attemptNumbers));
}

/** Records attempts that were just read; undefined stands for an attempt that does not exist. */
export async function recordObservedAttempts(
  deps: RecordAttemptsDeps,
  run: StoreReadRun,
  attempts: readonly (AttemptWithContract | undefined)[],
): Promise<('done' | 'wait')[]> {
  const { shopId } = run.store;
  const foundAttempts = attempts.filter((attempt) => attempt !== undefined);
  const contracts = foundAttempts.map(({ contract }) => contract);
  const queuedByContract = await readQueuedChanges(deps, shopId, contracts);
  const chargeByAttemptId = await readOpenCharges(deps, shopId, foundAttempts);
  const attemptResults = await mapWithConcurrency(foundAttempts, SETTLING_CONCURRENCY, async (attempt) => {
    const charge = chargeByAttemptId.get(attempt.id);
    if (charge !== undefined) {
      return (await settleOpenCharge(deps, charge, attempt)) === 'must wait' ? 'wait' : 'done';
    }
    if (
      queuedByContract
        .get(attempt.contract)
        ?.openIntents.some((intent) => isAttemptOfRecentIntent(deps, intent, attempt))
    )
      return 'wait';
    return (await isExternalAttemptUnrecorded(deps, shopId, attempt)) ? 'external' : 'done';
  });
  const externalAttempts = foundAttempts.filter((_, index) => attemptResults[index] === 'external');
  const waitingAttempts = new Set(await recordExternalAttempts(deps, run, externalAttempts));
  for (const [index, attempt] of foundAttempts.entries())
    if (attemptResults[index] === 'wait') waitingAttempts.add(attempt);
  return attempts.map((attempt) => (attempt !== undefined && waitingAttempts.has(attempt) ? 'wait' : 'done'));
}

/** Reads the service's charges whose attempts have not ended, by the attempts' ids. */
async function readOpenCharges(
  { scheduledTasks, now }: RecordAttemptsDeps,
  shopId: ShopId,
  attempts: readonly AttemptWithContract[],
): Promise<ReadonlyMap<string, OpenCharge>> {
  const creationTimesMs = attempts.map(({ createdAt }) => Date.parse(createdAt));
  if (creationTimesMs.length === 0) return new Map();
  const intentTimeRange = {
    fromMs: Math.min(...creationTimesMs) - MAX_CHARGE_RECORDING_WAIT_MS,
    toMs: now() + REREAD_INTERVAL_OF_OLD_CHARGE_MS + SETTLE_INTENT_AFTER_MS,
  };
  const chargeByAttemptId = new Map<string, OpenCharge>();
  for await (const item of scheduledTasks.listOfStore('charge', shopId, intentTimeRange)) {
    const charge = toOpenCharge(item);
    chargeByAttemptId.set(charge.attemptId, charge);
  }
  return chargeByAttemptId;
}

function isAttemptOfRecentIntent(
  { now }: RecordAttemptsDeps,
  { details, createdAtMs }: OpenIntent,
  attempt: AttemptWithContract,
): boolean {
  return (
    details.idempotencyKey === attempt.idempotencyKey && now() - createdAtMs < MAX_CHARGE_RECORDING_WAIT_MS
  );
}

function attemptEntryId({ id }: AttemptWithContract): string {
  return `elsewhere-billingAttempts.${gidTail(id)}`;
}

/** Whether another client made the attempt, and the timeline lacks its present outcome. False while it is pending. */
async function isExternalAttemptUnrecorded(
  deps: RecordAttemptsDeps,
  shopId: ShopId,
  attempt: AttemptWithContract,
): Promise<boolean> {
  const { contract, createdAt, id: attemptId } = attempt;
  const attemptOutcome = toAttemptOutcome(attempt);
  if (attemptOutcome.kind === 'pending') return false;
  const recordOwner = await findRecordOfAttempt(deps, { shopId, contract }, attemptId);
  if (recordOwner !== undefined && recordOwner !== attemptEntryId(attempt)) return false;
  const createdAtMs = Date.parse(createdAt);
  const entry = await findTimelineEntry(deps, { shopId, contract, createdAtMs, id: attemptEntryId(attempt) });
  return entry?.action !== chargeEntryFields({}, { attemptId, outcome: attemptOutcome }).action;
}

/** Records external attempts. Returns those whose earlier entry has to be appended first. */
async function recordExternalAttempts(
  deps: RecordAttemptsDeps,
  run: StoreReadRun,
  attempts: readonly AttemptWithContract[],
): Promise<ReadonlySet<AttemptWithContract>> {
  const attemptsToWait = new Set<AttemptWithContract>();
  const cycles = await readBillingCyclesOfAttempts(deps, run, attempts);
  for (const [attemptIndex, attempt] of attempts.entries()) {
    const cycle = cycles[attemptIndex];
    const { shopId } = run.store;
    const eventDetails = {
      ...(cycle && { billingCycleIndex: cycle.cycleIndex, expectedDate: cycle.billingAttemptExpectedDate }),
      idempotencyKey: attempt.idempotencyKey,
    };
    const { contract } = attempt;
    const attemptOutcome = toAttemptOutcome(attempt);
    const nextTry = await reportOutcomeToBilling(
      deps,
      { shopId, contract, details: eventDetails },
      { attempt, outcome: attemptOutcome },
    );
    const chargeEntry = toChargeEntry(shopId, attempt, { ...eventDetails, ...nextTry });
    // The service's own charge may have been recorded concurrently.
    if (await isEntryNotAppended(deps, chargeEntry)) attemptsToWait.add(attempt);
    else if (await claimBillingAttempt(deps, { ...chargeEntry, attemptId: attempt.id }))
      await recordEntryWithoutIntent(deps, chargeEntry);
  }
  return attemptsToWait;
}

function toChargeEntry(
  shopId: ShopId,
  attempt: AttemptWithContract,
  details: EventRecord['details'],
): EventRecord {
  const { contract, createdAt, id: attemptId } = attempt;
  const createdAtMs = Date.parse(createdAt);
  return {
    ...chargeEntryFields(details, { attemptId, outcome: toAttemptOutcome(attempt) }),
    ...{ id: attemptEntryId(attempt), shopId, contract, createdAtMs },
    number: formatEventNumber({ createdAtMs, sequence: 0, contract }),
    actor: { kind: 'UNKNOWN' },
    requestId: attemptEntryId(attempt),
    outcome: 'DONE',
  };
}
