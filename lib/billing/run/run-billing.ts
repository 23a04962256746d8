/**
 * The service's billing of one store: a run for each of its days, and the reminders of open charges. It is called when the
 * store's work is due, and may be killed at any point.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Stores } from '../../storage/stores.ts';
import type { StoreTimeSlice } from '../../storage/work-queue/process-work-queue.ts';
import type { Money } from '../../subscriptions/order-content.ts';
import { addToTotals } from '../preview/count-orders.ts';
import { countUnexplainedOrders, type UnexplainedOrdersDeps } from '../preview/count-unexplained-orders.ts';
import { formatTimeKey } from '../records/key-range.ts';
import type { BillingHoldReason, BillingRun } from '../records/run-record.ts';
import type { BillingSettingsRepository } from '../records/settings.ts';
import {
  type BillingStatus,
  decideBillingStatus,
  settingsOfInstallation,
} from '../settings/decide-billing-status.ts';
import { isLatestRunOnHold, readBillingStatus } from '../settings/read-billing-status.ts';
import { addDays, nextRunAtMs } from '../settings/run-times.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { type ChargeRunDeps, chargeRun } from './charge-run.ts';
import { countMerchantRefusalsInRow } from './count-run.ts';
import { decideHold, isRefusedByAccount } from './decide-hold.ts';
import { endBilling } from './end-billing.ts';
import { type FindDeps, findOrders, isEverythingFound } from './find-orders.ts';
import { type RemindersDeps, runReminders } from './run-reminders.ts';
import { nextCountAtMs, settleRun } from './settle-run.ts';
import { reportLateRuns, startRun } from './start-run.ts';

export type RunBillingDeps = Omit<ChargeRunDeps & FindDeps & RemindersDeps, 'mayCharge'> & {
  readonly stores: Pick<Stores, 'find'>;
  readonly settings: BillingSettingsRepository;
  readonly previews: UnexplainedOrdersDeps['previews'];
  readonly logger: Pick<Logger, 'error' | 'info' | 'warn'>;
  /** Reports to the merchant that a run is on hold. Idempotent. */
  readonly reportHold: (run: BillingRun) => Promise<void>;
};
type Deps = RunBillingDeps & Pick<ChargeRunDeps, 'mayCharge'>;

const BILLING_RETRY_AFTER_FAILURE_MS = 60_000;
const UNWRITTEN_CHARGE_REREAD_DELAY_MS = 5_000;
/** Runs that began earlier are not continued. */
const MAX_OPEN_RUN_AGE_DAYS = 60;

/**
 * Does the store's due work of billing until the end of the time slice.
 * @returns when the store's work is due again, epoch milliseconds; undefined while the store has no billing
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function runBilling(
  baseDeps: RunBillingDeps,
  { shopId, endAtMs }: Pick<StoreTimeSlice, 'endAtMs' | 'shopId'>,
): Promise<number | undefined> {
  const deps: Deps = { ...baseDeps, mayCharge: ({ store }) => isChargingAllowed(baseDeps, store.shopId) };
  const store = await deps.stores.find(shopId);
  const storedSettings = await deps.settings.read(shopId);
  if (store?.status !== 'installed' || storedSettings.version === 0) return undefined;
  const turn: BillingTurn = { store, settings: settingsOfInstallation(storedSettings, store), endAtMs };
  try {
    return await runTurn(deps, turn);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    // The store's points did not suffice before the end of the time slice.
    if (error.code === 'THROTTLED') return deps.now() + 1000 * (error.retryAfterSeconds ?? 1);
    deps.logger.warn('billing.postponed', { shopId, errorCode: error.code });
    return deps.now() + BILLING_RETRY_AFTER_FAILURE_MS;
  }
}

async function runTurn(deps: Deps, turn: BillingTurn): Promise<number | undefined> {
  const { store } = turn;
  const startedAtMs = deps.now();
  const billingStatus = await readStatus(deps, turn);
  // What is open from before billing was switched off does not wait for a new first day.
  if (billingStatus === 'OFF' || billingStatus === 'STARTING')
    await endBilling(deps, turn, await listOpenRuns(deps, store.shopId));
  if (billingStatus === 'OFF') {
    return findEarliest([
      await nextReminderAtMs(deps, turn, { startedAtMs }),
      ...(await recountDoneRuns(deps, turn)),
    ]);
  }
  await startRun(deps, turn, billingStatus);
  const openRuns = await listOpenRuns(deps, store.shopId);
  if (billingStatus === 'ON') reportLateRuns(deps, turn, openRuns);
  for (const run of openRuns) {
    await advanceRun(deps, turn, { run, mayCharge: billingStatus === 'ON' });
  }
  const isBillingOnHold = await isLatestRunOnHold(deps, store.shopId);
  // The orders of the day come before retries: an order in dunning ends when the contract's next order is due.
  const isRunInProgress = (await listOpenRuns(deps, store.shopId)).some(isFindingOrCharging);
  const mayTry = billingStatus === 'ON' && !isBillingOnHold && !isRunInProgress;
  const reminderOutcome = await runReminders(deps, turn, { mayTry });
  const countTimes = await recountDoneRuns(deps, turn);
  return nextTurnAtMs(deps, turn, {
    isPaused: billingStatus !== 'ON' || isBillingOnHold,
    hasDueReminders: reminderOutcome === 'some left',
    ...{ countTimes, startedAtMs },
  });
}

function isFindingOrCharging({ status }: BillingRun): boolean {
  return status === 'FINDING' || status === 'CHARGING';
}

/** Reads anew whether the store may be charged: billing may have been stopped since the time slice began. */
async function isChargingAllowed(deps: RunBillingDeps, shopId: ShopId): Promise<boolean> {
  const store = await deps.stores.find(shopId);
  return store !== undefined && (await readBillingStatus(deps, store)).status === 'ON';
}

async function readStatus({ settings, now }: Deps, turn: BillingTurn): Promise<BillingStatus> {
  const stopOfAllStores = await settings.readStop();
  return decideBillingStatus(turn.settings, { store: turn.store, nowMs: now(), stopOfAllStores });
}

/** Returns the runs that are not done, the oldest first. */
async function listOpenRuns(deps: Pick<Deps, 'now' | 'runs'>, shopId: ShopId): Promise<BillingRun[]> {
  return (await listRecentRuns(deps, shopId)).filter(({ status }) => status !== 'DONE');
}

function listRecentRuns({ runs, now }: Pick<Deps, 'now' | 'runs'>, shopId: ShopId): Promise<BillingRun[]> {
  const afterDay = addDays(new Date(now()).toISOString().slice(0, 10), -MAX_OPEN_RUN_AGE_DAYS);
  return Array.fromAsync(runs.list(shopId, { after: afterDay }));
}

/**
 * Counts the charges of recent runs that are DONE anew, where a count is due. Returns the times of the next counts, epoch
 * milliseconds; none for a run that is not counted any more.
 */
async function recountDoneRuns(deps: Deps, turn: BillingTurn): Promise<number[]> {
  const countTimes: number[] = [];
  for (const run of await listRecentRuns(deps, turn.store.shopId)) {
    if (run.status !== 'DONE') continue;
    const hasTimeLeft = deps.now() < turn.endAtMs;
    const countedRun = hasTimeLeft ? await settleRun(deps, turn, { run, mayCharge: true }) : run;
    countTimes.push(nextCountAtMs(countedRun, { isPaused: false }));
  }
  return countTimes.filter(Number.isFinite);
}

type RunToAdvance = { readonly run: BillingRun; readonly mayCharge: boolean };

/** Continues a run. While billing is stopped, the run finds orders but charges none. */
async function advanceRun(deps: Deps, turn: BillingTurn, { run, mayCharge }: RunToAdvance): Promise<void> {
  let currentRun = run;
  if (currentRun.status === 'FINDING') {
    currentRun = await findOrders(deps, turn, currentRun);
    if (!isEverythingFound(turn, currentRun)) return;
    currentRun = await endFinding(deps, currentRun);
  }
  if (currentRun.status === 'ON_HOLD' && currentRun.confirmedAtMs !== undefined) {
    const { holdReason: _reason, ...runWithoutHold } = currentRun;
    currentRun = await replaceRun(deps, currentRun, { ...runWithoutHold, status: 'CHARGING' });
  }
  if (currentRun.status === 'CHARGING' && mayCharge) currentRun = await chargeRun(deps, turn, currentRun);
  if (currentRun.status === 'CHARGING' && isRefusedByAccount(currentRun))
    await putOnHold(deps, {
      run: currentRun,
      runWithCounts: currentRun,
      holdReason: 'MERCHANT_ACCOUNT_REFUSES',
    });
  const isRunPaused = currentRun.status === 'ON_HOLD' || (currentRun.status === 'CHARGING' && !mayCharge);
  if (currentRun.status === 'SETTLING' || isRunPaused)
    await settleRun(deps, turn, { run: currentRun, mayCharge });
}

/** Decides whether the run charges what it found, or is put on hold. */
async function endFinding(deps: Deps, run: BillingRun): Promise<BillingRun> {
  const { cursor: _cursor, ...runWithoutCursor } = run;
  let foundCount = 0;
  let foundTotals: readonly Money[] = [];
  for await (const { amount } of deps.runs.listLines(run.shopId, run.date)) {
    foundCount++;
    foundTotals = addToTotals(foundTotals, amount);
  }
  const earlierRuns = (await listRecentRuns(deps, run.shopId)).filter(({ date }) => date < run.date);
  const previousRun = earlierRuns.at(-1);
  const runsWithRefusals = earlierRuns.filter(({ merchantRefusalCount = 0 }) => merchantRefusalCount > 0);
  const earlierRefusalCount =
    previousRun === undefined ? 0 : await countMerchantRefusalsInRow(deps, { previousRun, runsWithRefusals });
  const runWithCounts = {
    ...{ ...runWithoutCursor, foundCount, foundTotals, earlierRefusalCount },
    countByState: { DUE: foundCount },
  };
  const decideHoldFor = (count: number) => decideHold({ ...runWithCounts, foundCount: count }, previousRun);
  const isTooMany = (count: number) => decideHoldFor(count) === 'MORE_THAN_EXPECTED';
  const holdReason = decideHoldFor(
    isTooMany(foundCount) ? await countUnexplainedOrders(deps, run, isTooMany) : foundCount,
  );
  if (holdReason === undefined) return replaceRun(deps, run, { ...runWithCounts, status: 'CHARGING' });
  return putOnHold(deps, { run, runWithCounts, holdReason });
}

type RunToHold = {
  readonly run: BillingRun;
  readonly runWithCounts: Omit<BillingRun, 'version'>;
  readonly holdReason: BillingHoldReason;
};

/** Puts a run on hold, and reports it. An earlier confirmation of the run does not count for this hold. */
async function putOnHold(deps: Deps, { run, runWithCounts, holdReason }: RunToHold): Promise<BillingRun> {
  const { confirmedAtMs: _earlier, ...unconfirmed } = runWithCounts;
  const { shopId, date } = run;
  // Report before the run is written: then a crash in between causes a second report, not a missing one.
  deps.logger.warn('billing_run.held', { alarm: 'billing_run_on_hold', shopId, date, holdReason });
  await deps.reportHold({ ...run, ...runWithCounts, holdReason });
  return replaceRun(deps, run, { ...unconfirmed, status: 'ON_HOLD', holdReason });
}

/** Replaces the run; returns the run unchanged if another process has changed it. */
async function replaceRun(
  { runs }: Deps,
  before: BillingRun,
  after: Parameters<Deps['runs']['replace']>[1],
): Promise<BillingRun> {
  const writtenRun = await runs.replace(before, after);
  return writtenRun === 'refused' ? before : writtenRun;
}

/**
 * Returns when the first reminder after `afterMs` is due, or the first of all reminders without `afterMs`. A reminder that
 * was due when the turn started, and is still there, waits for its charge to be written: it is read again in five seconds.
 */
async function nextReminderAtMs(
  { reminders, now }: Deps,
  { store }: BillingTurn,
  { startedAtMs, afterMs }: { readonly startedAtMs: number; readonly afterMs?: number | undefined },
): Promise<number | undefined> {
  const afterKey = afterMs === undefined ? undefined : formatTimeKey(afterMs + 1);
  for await (const { atMs, putAtMs = 0 } of reminders.list(store.shopId, { after: afterKey, pageSize: 1 }))
    return atMs <= startedAtMs && putAtMs <= startedAtMs ? now() + UNWRITTEN_CHARGE_REREAD_DELAY_MS : atMs;
  return undefined;
}

type TurnState = {
  /** Whether no attempt is made before billing is resumed or a run is confirmed. */
  readonly isPaused: boolean;
  readonly hasDueReminders: boolean;
  readonly startedAtMs: number;
  /** When runs that are done are counted again. */
  readonly countTimes: readonly number[];
};

async function nextTurnAtMs(
  deps: Deps,
  turn: BillingTurn,
  { isPaused, hasDueReminders, countTimes, startedAtMs }: TurnState,
): Promise<number | undefined> {
  const { store, settings } = turn;
  const nowMs = deps.now();
  const dueTimes = (await listOpenRuns(deps, store.shopId)).flatMap((run) => {
    if (run.status === 'FINDING') return [nowMs];
    const isReady = run.status === 'CHARGING' || run.confirmedAtMs !== undefined;
    return isReady && !isPaused && run.status !== 'SETTLING' ? [nowMs] : [nextCountAtMs(run, { isPaused })];
  });
  // A run whose time has come during this turn begins at once.
  const nextRunMs = nextRunAtMs(settings, store, startedAtMs);
  // Due reminders that wait for the merchant need no turn: a resume enqueues the store.
  const nextReminderMs = await nextReminderAtMs(deps, turn, {
    ...{ startedAtMs, afterMs: isPaused ? nowMs : undefined },
  });
  const dueRemindersMs = hasDueReminders && !isPaused ? nowMs : undefined;
  return findEarliest([...dueTimes, ...countTimes, nextRunMs, nextReminderMs, dueRemindersMs]);
}

function findEarliest(times: readonly (number | undefined)[]): number | undefined {
  const knownTimes = times.filter((atMs) => atMs !== undefined);
  return knownTimes.length === 0 ? undefined : Math.min(...knownTimes);
}
