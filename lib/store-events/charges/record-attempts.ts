/**
 * A webhook says that billing attempts have come to something, or the nightly pass finds them. A charge of the service's
 * own has its entry, or an intent that will have it; any other attempt gets an entry here, at the time when it was made.
 */
import { gidTail } from '../../domain/gid.ts';
import { settleAll } from '../../domain/settle-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { type Entry, formatEventNumber } from '../../timeline/event-record.ts';
import {
  type EndDeps,
  isNotAppended,
  type OpenIntent,
  recordEntry,
  SETTLE_AFTER_MS,
} from '../../timeline/intent.ts';
import { attemptOutcome, chargeFacts, ownerOfAttempt, takeAttempt } from '../../timeline/record-charge.ts';
import {
  type OpenCharge,
  READ_OLD_AFTER_MS,
  settleOpenCharge,
  toOpenCharge,
} from '../../timeline/settle/settle-open-charges.ts';
import { readOpenIntents } from '../contracts/queued-changes.ts';
import type { ReadDeps, ReadRun } from '../contracts/read-changed-contracts.ts';
import { type ContractAttempt, readAttempts, readOrders } from './read-attempts.ts';
import { isRecordedAs, recordAttemptState } from './recorded-attempts.ts';

export type AttemptDeps = ReadDeps & EndDeps;

/** A charge waits so long for its own intent. */
const MAX_WAIT_MS = 900_000;

/**
 * Tells what these attempts have come to, by their numbers, at most ATTEMPT_CONCURRENCY; `wait`: the service's own charge is
 * about to be told. May be repeated. Errors of the platform's client; TEMPORARILY_UNAVAILABLE.
 */
export async function recordAttempts(
  deps: AttemptDeps,
  run: ReadRun,
  numbers: readonly string[],
): Promise<('done' | 'wait')[]> {
  return recordObservedAttempts(deps, run, await readAttempts(deps, run, numbers));
}

/** Records attempts that were just read; undefined for one that does not exist. */
export async function recordObservedAttempts(
  deps: AttemptDeps,
  run: ReadRun,
  attempts: readonly (ContractAttempt | undefined)[],
): Promise<('done' | 'wait')[]> {
  const { shopId } = run.store;
  const contracts = attempts.flatMap((one) => (one === undefined ? [] : [one.contract]));
  const intents = await readOpenIntents(deps, shopId, contracts);
  const charges = await readOpenCharges(deps, shopId, attempts);
  const fates = await settleAll(
    attempts.map(async (attempt) => {
      if (attempt === undefined) return 'done';
      const charge = charges.get(attempt.id);
      if (charge !== undefined) {
        return (await settleOpenCharge(deps, charge, attempt)) === 'unplaced' ? 'wait' : 'done';
      }
      if (intents.get(attempt.contract)?.some((intent) => isOf(deps, intent, attempt))) return 'wait';
      return (await isForeign(deps, shopId, attempt)) ? 'foreign' : 'done';
    }),
  );
  const foreign = attempts.filter((one, index) => one !== undefined && fates[index] === 'foreign');
  const notAppended = await recordExternal(deps, run, foreign as ContractAttempt[]);
  return attempts.map((one, index) =>
    fates[index] === 'wait' || (one !== undefined && notAppended.has(one.id)) ? 'wait' : 'done',
  );
}

/** The charges of the service's own whose attempts have not ended, by the attempts' ids. */
async function readOpenCharges(
  { dueItems, now }: AttemptDeps,
  shopId: ShopId,
  attempts: readonly (ContractAttempt | undefined)[],
): Promise<ReadonlyMap<string, OpenCharge>> {
  const madeAtMs = attempts.flatMap((one) => (one === undefined ? [] : Date.parse(one.createdAt)));
  if (madeAtMs.length === 0) return new Map();
  const span = {
    fromMs: Math.min(...madeAtMs) - MAX_WAIT_MS,
    toMs: now() + READ_OLD_AFTER_MS + SETTLE_AFTER_MS,
  };
  const charges = new Map<string, OpenCharge>();
  for await (const item of dueItems.listOfStore('charge', shopId, span)) {
    const charge = toOpenCharge(item);
    charges.set(charge.attemptId, charge);
  }
  return charges;
}

function isOf({ now }: AttemptDeps, { details, createdAtMs }: OpenIntent, attempt: ContractAttempt): boolean {
  return details.idempotencyKey === attempt.idempotencyKey && now() - createdAtMs < MAX_WAIT_MS;
}

function entryId({ id }: ContractAttempt): string {
  return `elsewhere-billingAttempts.${gidTail(id)}`;
}

async function isForeign(deps: AttemptDeps, shopId: ShopId, attempt: ContractAttempt): Promise<boolean> {
  if (attemptOutcome(attempt).kind === 'pending') return false;
  const teller = await ownerOfAttempt(deps, { shopId, contract: attempt.contract }, attempt.id);
  return teller === undefined || teller === entryId(attempt);
}

/** Returns those of which something was told that waits for its place: they are told after it. */
async function recordExternal(
  deps: AttemptDeps,
  run: ReadRun,
  attempts: readonly ContractAttempt[],
): Promise<ReadonlySet<string>> {
  const { shopId } = run.store;
  const notAppended = new Set<string>();
  const isNew = await settleAll(attempts.map((one) => isRecordedAs(deps, shopId, one).then((is) => !is)));
  const unrecorded = attempts.filter((_, index) => isNew[index]);
  const orders = await readOrders(deps, run, unrecorded);
  for (const [index, attempt] of unrecorded.entries()) {
    const order = orders[index];
    const entry = toEntry(shopId, attempt, {
      ...(order && { billingCycleIndex: order.cycleIndex, expectedDate: order.billingAttemptExpectedDate }),
      idempotencyKey: attempt.idempotencyKey,
    });
    if (await isNotAppended(deps, entry)) {
      notAppended.add(attempt.id);
      continue;
    }
    // The service's own charge may have been recorded concurrently.
    const { contract, id } = entry;
    if (await takeAttempt(deps, { shopId, contract, id, attemptId: attempt.id }))
      await recordEntry(deps, entry);
    await recordAttemptState(deps, shopId, attempt);
  }
  return notAppended;
}

function toEntry(shopId: ShopId, attempt: ContractAttempt, details: Entry['details']): Entry {
  const { contract, createdAt, id: attemptId } = attempt;
  const createdAtMs = Date.parse(createdAt);
  return {
    ...chargeFacts(details, { attemptId, outcome: attemptOutcome(attempt) }),
    ...{ id: entryId(attempt), shopId, contract, createdAtMs },
    number: formatEventNumber({ createdAtMs, sequence: 0, contract }),
    actor: { kind: 'UNKNOWN' },
    requestId: entryId(attempt),
    outcome: 'DONE',
  };
}
