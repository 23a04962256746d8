/**
 * Reads and compares all contracts of a store once a night, and then its charges. That finds changes whose webhooks were
 * lost. It can be interrupted after any page, and resumes at the next one. The first reconciliation of a store records the
 * contracts' states, with which later ones compare.
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
import { countPreviewOfPage, setNextDatesOfPage, startPreview } from './prepare-billing.ts';
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
/** A reconciliation starts at 2 o'clock in the store's time zone, or some minutes later. */
const RECONCILIATION_START_OFFSET_MS = 2 * HOUR_MS;
/** The minutes over which the starts of all stores are spread. */
const RECONCILIATION_START_SPREAD_MINUTES = 30;
const INTERRUPTED_RECONCILIATION_RETRY_MS = 60_000;
/**
 * For how long after its creation an attempt is read again while it has not ended, or waits for the customer's bank.
 */
export const UNFINISHED_ATTEMPT_REREAD_WINDOW_MS = 3 * 86_400_000;
/** After these errors the reconciliation waits for the next night: the merchant or an operator has to act first. */
const ERROR_CODES_ENDING_RECONCILIATION: ReadonlySet<string> = new Set([
  'STORE_ACCESS_MISSING',
  'STORE_DISCONNECTED',
]);

type StoreInTimeZone = { readonly shopId: ShopId; readonly timeZone: TimeZone };

/** Returns how long after midnight a store's reconciliation starts: spread by its id, so that not all stores start together. */
function reconciliationStartOffsetMs(shopId: ShopId): number {
  return RECONCILIATION_START_OFFSET_MS + (shopId % RECONCILIATION_START_SPREAD_MINUTES) * MINUTE_MS;
}

/** Returns the date of the latest reconciliation, for example `2026-11-21` until that of the 22nd starts. */
function reconciliationDateOf({ shopId, timeZone }: StoreInTimeZone, nowMs: number): string {
  return isoDayIn(timeZone, nowMs - reconciliationStartOffsetMs(shopId));
}

/** Returns when the reconciliation after that of `nightlyDate` starts, epoch milliseconds. */
function nextReconciliationAtMs({ shopId, timeZone }: StoreInTimeZone, nightlyDate: string): number {
  return endOfDayMs(timeZone, nightlyDate) + reconciliationStartOffsetMs(shopId);
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
  const nightlyDate = reconciliationDateOf(zonedStore, deps.now());
  const reconciliation = await startOrResumeReconciliation(deps, { shopId, billedSettings }, nightlyDate);
  const nextAtMs = nextReconciliationAtMs(zonedStore, nightlyDate);
  if (reconciliation.state === 'done') return nextAtMs;
  const run = {
    store,
    endAtMs,
    baselineAtMs: reconciliation.baselineAtMs,
    isBilled: billedSettings !== undefined,
  };
  try {
    const reconciliationAfter = await continueReconciliation(
      deps,
      { ...run, signal: timeSlice.signal },
      reconciliation,
    );
    if (reconciliationAfter.state === 'waiting') return deps.now() + INTERRUPTED_RECONCILIATION_RETRY_MS;
    if (reconciliationAfter.state !== 'done') return deps.now();
    await renewWebhookRegistrations(deps, run);
    deps.logger.info('reconciliation.completed', { shopId, night: reconciliationAfter.night });
    return nextAtMs;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('reconciliation.interrupted', { shopId, errorCode: error.code });
    return ERROR_CODES_ENDING_RECONCILIATION.has(error.code)
      ? nextAtMs
      : deps.now() + INTERRUPTED_RECONCILIATION_RETRY_MS;
  }
}

/** Returns the record of this night's reconciliation, or of an earlier one whose comparison is not finished. */
async function startOrResumeReconciliation(
  deps: ReconcileDeps,
  {
    shopId,
    billedSettings,
  }: { readonly shopId: ShopId; readonly billedSettings: BillingSettings | undefined },
  nightlyDate: string,
): Promise<ReconciliationRecord> {
  const storedReconciliation = await readReconciliation(deps, shopId);
  // Continue an unfinished comparison, even on the next night.
  if (
    storedReconciliation !== undefined &&
    (storedReconciliation.night === nightlyDate || storedReconciliation.state === 'pages')
  )
    return storedReconciliation;
  const beganAtMs = deps.now();
  const initialFields = { after: null, state: 'pages', waiting: [], waitingCharges: [], beganAtMs } as const;
  const chargesSinceMs =
    storedReconciliation === undefined ? beganAtMs : computeChargesReadFromMs(storedReconciliation);
  const preview =
    billedSettings === undefined
      ? undefined
      : await startPreview(deps, { shopId, settings: billedSettings, nightlyDate });
  const progressFields = { shopId, night: nightlyDate, chargesSinceMs, preview };
  const reconciliation = {
    baselineAtMs: beganAtMs,
    ...storedReconciliation,
    ...initialFields,
    ...progressFields,
  };
  await writeReconciliation(deps, reconciliation);
  return reconciliation;
}

async function continueReconciliation(
  deps: ReconcileDeps,
  run: ObserveContractsRun & { readonly signal: AbortSignal },
  recordAtStart: ReconciliationRecord,
): Promise<ReconciliationRecord> {
  let reconciliation = recordAtStart;
  while (reconciliation.state === 'pages' || reconciliation.state === 'charges') {
    if (run.signal.aborted || deps.now() >= run.endAtMs) return reconciliation;
    const processPage = reconciliation.state === 'pages' ? readAndComparePage : recordChargePage;
    reconciliation = await processPage(deps, run, reconciliation);
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
    const stateAfter = waitingContracts.length + waitingCharges.length === 0 ? 'done' : 'waiting';
    reconciliation = { ...reconciliation, waiting: waitingContracts, waitingCharges, state: stateAfter };
    await writeReconciliation(deps, reconciliation);
  }
  return reconciliation;
}

/** Retries contracts or charges that had to wait. Returns those that still have to wait. */
async function retryWaitingItems<Item>(
  items: readonly Item[],
  itemsPerCall: number,
  processItems: (batch: readonly Item[]) => Promise<readonly string[]>,
): Promise<Item[]> {
  const stillWaitingItems: Item[] = [];
  for (const itemBatch of splitIntoBatches(items, itemsPerCall)) {
    const retryOutcomes = await processItems(itemBatch);
    stillWaitingItems.push(...itemBatch.filter((_, index) => retryOutcomes[index] === 'wait'));
  }
  return stillWaitingItems;
}

async function readAndComparePage(
  deps: ReconcileDeps,
  run: ObserveContractsRun,
  progress: ReconciliationRecord,
): Promise<ReconciliationRecord> {
  const contractPage = await readContractPage(deps, run, progress.after);
  const { readings, waitingContracts } = await compareContractPage(deps, run, contractPage.readings);
  const preview = await countPreviewOfPage(deps, run, progress, { ...contractPage, readings });
  await setNextDatesOfPage(deps, run, readings);
  return {
    ...{
      ...progress,
      after: contractPage.nextCursor,
      preview,
      waiting: [...progress.waiting, ...waitingContracts],
    },
    state: contractPage.nextCursor === null ? 'charges' : 'pages',
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

/** Returns from which creation time on charges are read, by the previous reconciliation, epoch milliseconds. */
function computeChargesReadFromMs(previousReconciliation: ReconciliationRecord): number {
  if (previousReconciliation.state !== 'done') return previousReconciliation.chargesSinceMs;
  return Math.max(
    previousReconciliation.baselineAtMs,
    previousReconciliation.beganAtMs - UNFINISHED_ATTEMPT_REREAD_WINDOW_MS,
  );
}

/**
 * Records the next page of the store's billing attempts, which its contracts do not show. Idempotent.
 * @throws the errors of `recordAttempts`
 */
async function recordChargePage(
  deps: RecordAttemptsDeps,
  run: StoreReadRun,
  progress: ReconciliationRecord,
): Promise<ReconciliationRecord> {
  const { attempts, nextCursor } = await readAttemptPage(deps, run, {
    sinceMs: progress.chargesSinceMs,
    after: progress.after,
  });
  const recordOutcomes = await recordObservedAttempts(deps, run, attempts);
  const waitingAttemptIds = attempts.flatMap(({ id }, index) =>
    recordOutcomes[index] === 'wait' ? [gidTail(id)] : [],
  );
  const waitingCharges = [...progress.waitingCharges, ...waitingAttemptIds];
  return {
    ...progress,
    after: nextCursor,
    waitingCharges,
    state: nextCursor === null ? 'waiting' : 'charges',
  };
}
