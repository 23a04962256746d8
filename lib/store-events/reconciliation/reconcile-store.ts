/**
 * Once a night all contracts of a store are read and compared, then its charges: that finds what lost webhooks would have
 * told. It can be ended after any page, and goes on there. The first pass, when a store is installed, makes the snapshots.
 */

import { gidTail } from '../../domain/gid.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { type StoreRecord, type Stores, timeZoneOf } from '../../storage/stores.ts';
import { registerWebhooks } from '../../stores/webhooks/register-webhooks.ts';
import { ATTEMPT_CONCURRENCY, readAttemptPage } from '../charges/read-attempts.ts';
import { type AttemptDeps, recordAttempts, recordObservedAttempts } from '../charges/record-attempts.ts';
import { type ObserveDeps, type ObserveRun, observeContracts } from '../contracts/observe-contracts.ts';
import {
  CONTRACTS_PER_DOCUMENT,
  type ReadDeps,
  type ReadRun,
  readContractPage,
} from '../contracts/read-changed-contracts.ts';
import { comparePage } from './compare-page.ts';
import { type PassRecord, readPass, writePass } from './pass-record.ts';
import { stillWaiting, thatWait } from './still-waiting.ts';

export type PassDeps = ObserveDeps &
  AttemptDeps & {
    readonly stores: Pick<Stores, 'find'>;
    readonly logger: Pick<Logger, 'info' | 'warn'>;
  };

type Turn = { readonly shopId: ShopId; readonly endAtMs: number; readonly signal: AbortSignal };

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;
const MINUTES_APART = 30;

type Store = { readonly shopId: ShopId; readonly timeZone: TimeZone };

/**
 * The day of the night that it is, or was last: `2026-11-21` until the next 2 o'clock. A store's night begins at its
 * 2 o'clock, and a few minutes later for some, so that not all stores begin at once.
 */
function localDateOf({ shopId, timeZone }: Store, nowMs: number): string {
  return isoDayIn(timeZone, nowMs - 2 * HOUR_MS - (shopId % MINUTES_APART) * MINUTE_MS);
}

/** When the next night begins, within five minutes; epoch milliseconds. */
function nextReconciliationAtMs(store: Store, nowMs: number): number {
  const localDate = localDateOf(store, nowMs);
  let atMs = nowMs;
  while (localDateOf(store, atMs) === localDate) atMs += STEP_MS;
  return atMs;
}

const WAIT_MS = 60_000;
/** These errors need an action of the merchant or an operator first. */
const PERMANENT: ReadonlySet<string> = new Set(['STORE_ACCESS_MISSING', 'STORE_DISCONNECTED']);

/** Goes on with the store's pass until `endAtMs`. Returns when to go on (epoch milliseconds); undefined: never by itself. */
export async function reconcileStore(deps: PassDeps, turn: Turn): Promise<number | undefined> {
  const { shopId, endAtMs } = turn;
  const store = await deps.stores.find(shopId);
  if (store?.status !== 'installed') return undefined;
  const zoned = { shopId, timeZone: timeZoneOf(store) };
  const pass = await beginPass(deps, store, localDateOf(zoned, deps.now()));
  const nextAtMs = nextReconciliationAtMs(zoned, deps.now());
  if (pass.state === 'done') return nextAtMs;
  const { baselineAtMs } = pass;
  const run = { store, endAtMs, baselineAtMs };
  try {
    const after = await goOn(deps, { ...run, signal: turn.signal }, pass);
    if (after.state === 'waiting') return deps.now() + WAIT_MS;
    if (after.state !== 'done') return deps.now();
    await renewRegistrations(deps, run);
    deps.logger.info('reconciliation.completed', { shopId, night: after.night });
    return nextAtMs;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('reconciliation.interrupted', { shopId, code: error.code });
    return PERMANENT.has(error.code) ? nextAtMs : deps.now() + WAIT_MS;
  }
}

/** The pass of this night, at its beginning or where it was left. */
async function beginPass(deps: PassDeps, { shopId }: StoreRecord, localDate: string): Promise<PassRecord> {
  const before = await readPass(deps, shopId);
  // Continue an unfinished comparison, even on the next night.
  if (before !== undefined && (before.night === localDate || before.state === 'pages')) return before;
  const beganAtMs = deps.now();
  const begin = { after: null, state: 'pages', waiting: [], waitingCharges: [], beganAtMs } as const;
  const sinceMs = before === undefined ? beganAtMs : chargesSinceMs(before);
  const pass = {
    baselineAtMs: beganAtMs,
    ...before,
    ...begin,
    chargesSinceMs: sinceMs,
    shopId,
    night: localDate,
  };
  await writePass(deps, pass);
  return pass;
}

async function goOn(
  deps: PassDeps,
  run: ObserveRun & { readonly signal: AbortSignal },
  from: PassRecord,
): Promise<PassRecord> {
  let pass = from;
  while (pass.state === 'pages' || pass.state === 'charges') {
    if (run.signal.aborted || deps.now() >= run.endAtMs) return pass;
    const page = pass.state === 'pages' ? compareContractPage : recordChargePage;
    pass = await page(deps, run, pass);
    await writePass(deps, pass);
  }
  if (pass.state === 'waiting') {
    const waiting = await stillWaiting(pass.waiting, {
      concurrency: CONTRACTS_PER_DOCUMENT,
      run: (some) => observeContracts(deps, run, some),
    });
    const waitingCharges = await stillWaiting(pass.waitingCharges, {
      concurrency: ATTEMPT_CONCURRENCY,
      run: (some) => recordAttempts(deps, run, some),
    });
    const isDone = waiting.length + waitingCharges.length === 0;
    const state = isDone ? 'done' : 'waiting';
    pass = { ...pass, waiting, waitingCharges, state };
    await writePass(deps, pass);
  }
  return pass;
}

async function compareContractPage(deps: PassDeps, run: ObserveRun, pass: PassRecord): Promise<PassRecord> {
  const { readings, next } = await readContractPage(deps, run, pass.after);
  const waiting = [...pass.waiting, ...(await comparePage(deps, run, readings))];
  if (next !== null) return { ...pass, after: next, waiting };
  return { ...pass, after: next, waiting, state: 'charges' };
}

type RegistrationDeps = Pick<ReadDeps, 'sendWithinBudget'> & { readonly logger: Pick<Logger, 'warn'> };

/**
 * Registers what is missing of a store whose webhooks are registered by the API: the platform deletes such a registration
 * after eight failures. A refusal of the platform is logged.
 */
async function renewRegistrations(deps: RegistrationDeps, { store, endAtMs }: ReadRun): Promise<void> {
  const { shopId, webhookWay } = store;
  if (webhookWay?.by !== 'api') return;
  try {
    const { made } = await registerWebhooks(deps, { store, uri: webhookWay.uri, endAtMs });
    if (made.length > 0) deps.logger.warn('webhook_registration.renewed', { shopId, count: made.length });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('webhook_registration.renewal_failed', { shopId, code: error.code });
  }
}

/** Attempts that have not ended, or wait for the customer's bank, are looked at in so many nights more. */
export const LATE_MS = 3 * 86_400_000;

/** Since when a pass looks at charges, by the one before it, whose charges may be left: none from before the store's first. */
function chargesSinceMs(before: PassRecord): number {
  if (before.state !== 'done') return before.chargesSinceMs;
  return Math.max(before.baselineAtMs, before.beganAtMs - LATE_MS);
}

/**
 * Records the next page of charges and returns the updated pass. May be repeated.
 * @throws the errors of `recordAttempts`
 */
async function recordChargePage(deps: AttemptDeps, run: ReadRun, pass: PassRecord): Promise<PassRecord> {
  const { attempts, next } = await readAttemptPage(deps, run, {
    sinceMs: pass.chargesSinceMs,
    after: pass.after,
  });
  const outcomes = await recordObservedAttempts(deps, run, attempts);
  const waiting = thatWait(attempts, outcomes).map(({ id }) => gidTail(id));
  const waitingCharges = [...pass.waitingCharges, ...waiting];
  return { ...pass, after: next, waitingCharges, state: next === null ? 'waiting' : 'charges' };
}
