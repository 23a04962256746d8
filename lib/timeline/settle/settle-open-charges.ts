/**
 * Reads the attempts of open charges again, many attempts of a store in one request. It may be killed at any point and
 * run again: an entry is written before its scheduled task is removed.
 */

import { mapWithConcurrency } from '../../domain/map-with-concurrency.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { isAccessDenied, type PlatformError } from '../../platform/admin-api/admin-response.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { readWithinBudget, type SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import { forEachStore } from '../../storage/for-each-store.ts';
import { readDueTasksInBatches, type ScheduledTask } from '../../storage/scheduled-tasks.ts';
import type { StoreRecord, Stores } from '../../storage/stores.ts';
import {
  ENDED_ATTEMPT_SELECTION,
  isFinalAttemptOutcome,
  type ObservedAttempt,
  toAttemptOutcome,
} from '../attempt-outcome.ts';
import { INTENT_GIVE_UP_AFTER_MS, type OpenIntent, type TimelineWriteDeps } from '../intent.ts';
import { recordChargeOfRemovedIntent, reportOutcomeToBilling, toOpenChargeItem } from '../record-charge.ts';

type OpenChargesDeps = TimelineWriteDeps & {
  readonly stores: Pick<Stores, 'find'>;
  readonly sendWithinBudget: SendWithinBudget;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
};

const HOUR_MS = 3_600_000;
/** A charge that has been open for more than a week is read again after this time. */
export const REREAD_INTERVAL_OF_OLD_CHARGE_MS = 24 * HOUR_MS;
/** The maximum number of charges in one batch. More charges may be due in an hour in which all stores charge. */
const MAX_CHARGES_IN_MEMORY = 20_000;
/** The query cost of one attempt with its state, and its error or its order. */
const ATTEMPT_COST_POINTS = 5;
const ATTEMPTS_PER_REQUEST = 50;
/** How many charges of a store are settled concurrently: with five stores, they use all connections to the table. */
export const SETTLING_CONCURRENCY = 10;

/** A charge whose attempt had not ended when it was last read. */
export type OpenCharge = {
  readonly item: ScheduledTask;
  readonly intent: OpenIntent;
  readonly attemptId: string;
};

/**
 * Records the charges whose attempts have ended, batch by batch until `endAtMs`, and returns their number.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function settleOpenCharges(
  deps: OpenChargesDeps,
  endAtMs: number,
  batchSize = MAX_CHARGES_IN_MEMORY,
): Promise<number> {
  let settledCount = 0;
  const taskBatches = readDueTasksInBatches(deps.scheduledTasks, {
    kind: 'charge',
    nowMs: deps.now(),
    batchSize,
  });
  for await (const dueTasks of taskBatches) {
    await forEachStore(dueTasks, async (shopId, items) => {
      const recordedCount = await settleChargesOfStore(deps, shopId, { items, endAtMs });
      settledCount += recordedCount;
    });
    if (deps.now() >= endAtMs) break;
  }
  return settledCount;
}

type ChargesOfStore = { readonly items: readonly ScheduledTask[]; readonly endAtMs: number };

/** Records the charges of one store whose attempts have ended, and returns their number. */
async function settleChargesOfStore(
  deps: OpenChargesDeps,
  shopId: ShopId,
  { items, endAtMs }: ChargesOfStore,
): Promise<number> {
  const store = await deps.stores.find(shopId);
  // The charges of a store that is not installed wait until the store is installed again, or are purged with the store.
  if (store?.status !== 'installed') return 0;
  const charges = items.map(toOpenCharge);
  let settledCount = 0;
  for (const chargeBatch of splitIntoBatches(charges, ATTEMPTS_PER_REQUEST)) {
    if (deps.now() >= endAtMs) return settledCount;
    try {
      const ids = chargeBatch.map(({ attemptId }) => attemptId);
      const attemptsToRead = { ids, selection: ENDED_ATTEMPT_SELECTION, points: ATTEMPT_COST_POINTS };
      const attempts = await readBillingAttempts(deps, { store, endAtMs }, attemptsToRead);
      const chargeStates = await mapWithConcurrency(chargeBatch, SETTLING_CONCURRENCY, (charge, index) =>
        settleOpenCharge(deps, charge, attempts[index]),
      );
      settledCount += chargeStates.filter((state) => state === 'over').length;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
      deps.logger.warn('charge.read_failed', { shopId, errorCode: error.code });
      const givenUpCharges = chargeBatch.filter(({ intent }) => isChargeGivenUp(deps, intent));
      await mapWithConcurrency(givenUpCharges, SETTLING_CONCURRENCY, (charge) =>
        settleOpenCharge(deps, charge, 'unreadable'),
      );
      return settledCount;
    }
  }
  return settledCount;
}

/**
 * Reads attempts by their global ids; undefined for an attempt that does not exist. `points`: the query cost of one attempt.
 * @throws PLATFORM_UNAVAILABLE when the response is incomplete
 */
export async function readBillingAttempts(
  deps: { readonly sendWithinBudget: SendWithinBudget },
  run: { readonly store: StoreRecord; readonly endAtMs: number },
  {
    ids,
    selection,
    points,
  }: { readonly ids: readonly string[]; readonly selection: string; readonly points: number },
): Promise<(ObservedAttempt | undefined)[]> {
  const document = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on SubscriptionBillingAttempt { ${selection} } } }`;
  const costKey = `${document} ${ids.length}`;
  const request = { document, variables: { ids }, costKey, expectedCost: ids.length * points };
  const { data, errors } = await readWithinBudget(deps, run, request);
  const nodes = data?.nodes as readonly (Partial<ObservedAttempt> | null)[] | undefined;
  const isReadIncomplete = errors.some((error) => !isDeniedOrder(error));
  if (isReadIncomplete || nodes?.length !== ids.length) throw failedReadError('attempts', errors);
  return nodes.map((node) => (node?.id === undefined ? undefined : (node as ObservedAttempt)));
}

/** Whether the error only denies access to the order that an attempt created: the attempt is complete without the order. */
export function isDeniedOrder(error: PlatformError): boolean {
  return isAccessDenied(error) && error.path?.includes('order') === true;
}

function isChargeGivenUp({ now }: TimelineWriteDeps, { createdAtMs }: OpenIntent): boolean {
  return now() - createdAtMs > INTENT_GIVE_UP_AFTER_MS;
}

/** Returns the charge of a scheduled task. */
export function toOpenCharge(item: ScheduledTask): OpenCharge {
  return { item, ...item.payload } as OpenCharge;
}

/**
 * Records the outcome of a charge. A charge whose attempt has not ended after a week is UNKNOWN in the timeline, is not
 * reported, and is read once a day. `over`: the attempt has ended, or does not exist. `must wait`: an earlier outcome is
 * not appended to the stream yet. Idempotent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function settleOpenCharge(
  deps: TimelineWriteDeps,
  { item, intent, attemptId }: OpenCharge,
  attempt: ObservedAttempt | 'unreadable' | undefined,
): Promise<'over' | 'open' | 'must wait'> {
  const isGivenUp = isChargeGivenUp(deps, intent);
  const attemptOutcome =
    attempt === 'unreadable' ? ({ kind: 'pending' } as const) : attempt && toAttemptOutcome(attempt);
  if (attemptOutcome?.kind === 'pending' && !isGivenUp) return 'open';
  const finalOutcome = attemptOutcome?.kind === 'pending' ? undefined : attemptOutcome;
  const observedAttempt = attempt === 'unreadable' ? undefined : attempt;
  const nextTry = await reportOutcomeToBilling(deps, intent, {
    ...{ attempt: observedAttempt ?? { id: attemptId }, outcome: finalOutcome },
  });
  if (
    (await recordChargeOfRemovedIntent(deps, intent, { attemptId, outcome: finalOutcome, nextTry })) ===
    'must wait'
  )
    return 'must wait';
  const isOutcomeFinal = attemptOutcome === undefined || isFinalAttemptOutcome(attemptOutcome);
  const dueAtMs = deps.now() + (isGivenUp ? REREAD_INTERVAL_OF_OLD_CHARGE_MS : HOUR_MS);
  if (!isOutcomeFinal) await deps.scheduledTasks.put(toOpenChargeItem(intent, attemptId, dueAtMs));
  // If the charge was read twice in one millisecond, the new task is the same item: it must not be removed.
  if (isOutcomeFinal || dueAtMs !== item.dueAtMs) await deps.scheduledTasks.remove(item);
  return isOutcomeFinal ? 'over' : 'open';
}
