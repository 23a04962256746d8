/**
 * Reads and compares all contracts of a store once a night, then its charges: that finds the changes of lost webhooks.
 * It may end after any page, and continues there. The first reconciliation records the contracts' states.
 */

import type { BillingSettings } from '../../billing/records/settings-record.ts';
import { endOfDayMs } from '../../billing/settings/run-times.ts';
import { gidTail } from '../../domain/gid.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { type Stores, timeZoneOf } from '../../storage/stores.ts';
import type { StoreTimeSlice } from '../../storage/work-queue/process-work-queue.ts';
import { registerWebhooks } from '../../stores/webhooks/register-webhooks.ts';
import { MAX_ATTEMPTS_PER_REQUEST, readAttemptPage } from '../charges/read-attempts.ts';
import {
  type RecordAttemptsDeps,
  recordAttempts,
  recordObservedAttempts,
} from '../charges/record-attempts.ts';
import { CONTRACTS_PER_DOCUMENT } from '../contracts/contract-documents.ts';
import {
  type ObserveContractsDeps,
  type ObserveContractsRun,
  observeContracts,
} from '../contracts/observe-contracts.ts';
import { readBilledSettings } from '../contracts/read-billed-settings.ts';
import { type ReadContractsDeps, readContractPage, type StoreReadRun } from '../contracts/read-contracts.ts';
import { compareContractPage } from './compare-contract-page.ts';
import { previewPage, setNextDatesOfPage, startPreview } from './prepare-billing.ts';
import {
  type ReconciliationRecord,
  readReconciliation,
  writeReconciliation,
} from './reconciliation-record.ts';

export type ReconcileDeps = ObserveContractsDeps &
  RecordAttemptsDeps & {
    readonly stores: Pick<Stores, 'find'>;
    readonly logger: Pick<Logger, 'info' | 'warn'>;
  };

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A night starts at 2 o'clock. */
const RECONCILIATION_START_MS = 2 * HOUR_MS;
/** The minutes over which the starts of all stores are spread. */
const RECONCILIATION_START_SPREAD_MINUTES = 30;
const INTERRUPTED_RECONCILIATION_RETRY_MS = 60_000;
/**
 * For how long after its creation an attempt is read again while it has not ended, or waits for the customer's bank.
 */
export const UNFINISHED_ATTEMPT_REREAD_WINDOW_MS = 3 * 86_400_000;
/** These errors need an action of the merchant or an operator first. */
const ERROR_CODES_ENDING_RECONCILIATION: ReadonlySet<string> = new Set([
  'STORE_ACCESS_MISSING',
  'STORE_DISCONNECTED',
]);

type StoreInTimeZone = { readonly shopId: ShopId; readonly timeZone: TimeZone };

/** A store's night starts at its 2 o'clock or some minutes later, so that not all stores start together. */
function reconciliationStartMs(shopId: ShopId): number {
  return RECONCILIATION_START_MS + (shopId % RECONCILIATION_START_SPREAD_MINUTES) * MINUTE_MS;
}

/** Returns the day of the current night, for example `2026-11-21` until the next night starts. */
function reconciliationDateOf({ shopId, timeZone }: StoreInTimeZone, nowMs: number): string {
  return isoDayIn(timeZone, nowMs - reconciliationStartMs(shopId));
}

/** Returns the start of the next night; epoch milliseconds. */
function nextReconciliationAtMs({ shopId, timeZone }: StoreInTimeZone, localDate: string): number {
  return endOfDayMs(timeZone, localDate) + reconciliationStartMs(shopId);
}

/**
 * Continues the store's reconciliation until `endAtMs`.
 * @returns when to continue (epoch milliseconds); undefined for a store that is not installed
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function reconcileStore(
  deps: ReconcileDeps,
  timeSlice: StoreTimeSlice,
): Promise<number | undefined> {
  const { shopId, endAtMs } = timeSlice;
  const store = await deps.stores.find(shopId);
  if (store?.status !== 'installed') return undefined;
  const zonedStore = { shopId, timeZone: timeZoneOf(store) };
  const billedSettings = await readBilledSettings(deps, store);
  const localDate = reconciliationDateOf(zonedStore, deps.now());
  const reconciliation = await startOrResumeReconciliation(
    deps,
    { shopId, billed: billedSettings },
    localDate,
  );
  const nextAtMs = nextReconciliationAtMs(zonedStore, localDate);
  if (reconciliation.state === 'done') return nextAtMs;
  const run = {
    store,
    endAtMs,
    baselineAtMs: reconciliation.baselineAtMs,
    isBilled: billedSettings !== undefined,
  };
  try {
    const passAfter = await continueReconciliation(
      deps,
      { ...run, signal: timeSlice.signal },
      reconciliation,
    );
    if (passAfter.state === 'waiting') return deps.now() + INTERRUPTED_RECONCILIATION_RETRY_MS;
    if (passAfter.state !== 'done') return deps.now();
    await renewWebhookRegistrations(deps, run);
    deps.logger.info('reconciliation.completed', { shopId, night: passAfter.night });
    return nextAtMs;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('reconciliation.interrupted', { shopId, errorCode: error.code });
    return ERROR_CODES_ENDING_RECONCILIATION.has(error.code)
      ? nextAtMs
      : deps.now() + INTERRUPTED_RECONCILIATION_RETRY_MS;
  }
}

/** Returns the reconciliation of this night, at its start or where it was interrupted. */
async function startOrResumeReconciliation(
  deps: ReconcileDeps,
  { shopId, billed }: { readonly shopId: ShopId; readonly billed: BillingSettings | undefined },
  localDate: string,
): Promise<ReconciliationRecord> {
  const storedPass = await readReconciliation(deps, shopId);
  // Continue an unfinished comparison, even on the next night.
  if (storedPass !== undefined && (storedPass.night === localDate || storedPass.state === 'pages'))
    return storedPass;
  const beganAtMs = deps.now();
  const initialPass = { after: null, state: 'pages', waiting: [], waitingCharges: [], beganAtMs } as const;
  const sinceMs = storedPass === undefined ? beganAtMs : computeChargesReadFromMs(storedPass);
  const previewProgress =
    billed === undefined
      ? undefined
      : await startPreview(deps, { shopId, settings: billed, nightlyDate: localDate });
  const progressFacts = { shopId, night: localDate, chargesSinceMs: sinceMs, preview: previewProgress };
  const reconciliation = { baselineAtMs: beganAtMs, ...storedPass, ...initialPass, ...progressFacts };
  await writeReconciliation(deps, reconciliation);
  return reconciliation;
}

async function continueReconciliation(
  deps: ReconcileDeps,
  run: ObserveContractsRun & { readonly signal: AbortSignal },
  record: ReconciliationRecord,
): Promise<ReconciliationRecord> {
  let reconciliation = record;
  while (reconciliation.state === 'pages' || reconciliation.state === 'charges') {
    if (run.signal.aborted || deps.now() >= run.endAtMs) return reconciliation;
    const page = reconciliation.state === 'pages' ? readAndComparePage : recordChargePage;
    reconciliation = await page(deps, run, reconciliation);
    await writeReconciliation(deps, reconciliation);
  }
  if (reconciliation.state === 'waiting') {
    const waitingContracts = await retryWaitingItems(
      reconciliation.waiting,
      CONTRACTS_PER_DOCUMENT,
      (batch) => observeContracts(deps, run, batch),
    );
    const waitingCharges = await retryWaitingItems(
      reconciliation.waitingCharges,
      MAX_ATTEMPTS_PER_REQUEST,
      (batch) => recordAttempts(deps, run, batch),
    );
    const passState = waitingContracts.length + waitingCharges.length === 0 ? 'done' : 'waiting';
    reconciliation = { ...reconciliation, waiting: waitingContracts, waitingCharges, state: passState };
    await writeReconciliation(deps, reconciliation);
  }
  return reconciliation;
}

/** Retries contracts or charges that had to wait, and returns those that still have to. */
async function retryWaitingItems<Of>(
  all: readonly Of[],
  concurrency: number,
  work: (batch: readonly Of[]) => Promise<readonly string[]>,
): Promise<Of[]> {
  const waitingItems: Of[] = [];
  for (const itemBatch of splitIntoBatches(all, concurrency)) {
    const retryOutcomes = await work(itemBatch);
    waitingItems.push(...itemBatch.filter((_, index) => retryOutcomes[index] === 'wait'));
  }
  return waitingItems;
}

async function readAndComparePage(
  deps: ReconcileDeps,
  run: ObserveContractsRun,
  progress: ReconciliationRecord,
): Promise<ReconciliationRecord> {
  const contractPage = await readContractPage(deps, run, progress.after);
  const { readings, waiting } = await compareContractPage(deps, run, contractPage.readings);
  const preview = await previewPage(deps, run, progress, { ...contractPage, readings });
  await setNextDatesOfPage(deps, run, readings);
  return {
    ...{ ...progress, after: contractPage.next, preview, waiting: [...progress.waiting, ...waiting] },
    state: contractPage.next === null ? 'charges' : 'pages',
  };
}

type WebhookRegistrationDeps = Pick<ReadContractsDeps, 'sendWithinBudget'> & {
  readonly logger: Pick<Logger, 'warn'>;
};

/**
 * Registers missing webhooks of a store that registers them by the API: the platform deletes a registration after eight
 * failures. A refusal of the platform is logged.
 */
async function renewWebhookRegistrations(
  deps: WebhookRegistrationDeps,
  { store, endAtMs }: StoreReadRun,
): Promise<void> {
  const { shopId, webhookWay } = store;
  if (webhookWay?.by !== 'api') return;
  try {
    const { registeredTopics } = await registerWebhooks(deps, { store, uri: webhookWay.uri, endAtMs });
    const count = registeredTopics.length;
    if (count > 0) deps.logger.warn('webhook_registration.renewed', { shopId, count });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('webhook_registration.renewal_failed', { shopId, errorCode: error.code });
  }
}

/** Returns the start of the charges to read, by the previous reconciliation: never before the store's first one. */
function computeChargesReadFromMs(before: ReconciliationRecord): number {
  if (before.state !== 'done') return before.chargesSinceMs;
  return Math.max(before.baselineAtMs, before.beganAtMs - UNFINISHED_ATTEMPT_REREAD_WINDOW_MS);
}

/**
 * Records the next page of charges: contracts do not show them. Idempotent.
 * @throws the errors of `recordAttempts`
 */
async function recordChargePage(
  deps: RecordAttemptsDeps,
  run: StoreReadRun,
  progress: ReconciliationRecord,
): Promise<ReconciliationRecord> {
  const { attempts, next } = await readAttemptPage(deps, run, {
    sinceMs: progress.chargesSinceMs,
    after: progress.after,
  });
  const recordOutcomes = await recordObservedAttempts(deps, run, attempts);
  const waitingAttemptIds = attempts.flatMap(({ id }, index) =>
    recordOutcomes[index] === 'wait' ? [gidTail(id)] : [],
  );
  const waitingCharges = [...progress.waitingCharges, ...waitingAttemptIds];
  return { ...progress, after: next, waitingCharges, state: next === null ? 'waiting' : 'charges' };
}
