/** Changes how a store is billed: its settings, stop and resume, and the confirmation of a run on hold. */
import type { ShopId } from '../../domain/shop-id.ts';
import { isIsoDay } from '../../domain/time-zone.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { BillingRun } from '../records/run-record.ts';
import type { BillingRuns } from '../records/runs.ts';
import type { BillingSettingsRepository } from '../records/settings.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { settingsOfInstallation } from './decide-billing-status.ts';
import { decideSettingsChange, type SettingsFault, type SettingsInput } from './decide-settings-change.ts';
import type { BillingObstacle } from './find-obstacles.ts';
import { readBillingStatus } from './read-billing-status.ts';

export type ChangeSettingsDeps = {
  readonly settings: Pick<BillingSettingsRepository, 'read' | 'write' | 'readStop'>;
  /** Puts the store into the work queue of billing, so that a change has its effect at once. */
  readonly enqueueStore: (shopId: ShopId) => Promise<void>;
  /** Logs the new settings: a restore of the table replays them. */
  readonly logChange: (settings: BillingSettings) => void;
  readonly now: () => number;
};

/** Who stops or resumes billing. Each ends only its own stop. */
export type StoppingParty = 'STORE' | 'OPERATOR';

type ChangeRefusal =
  | { readonly refusal: 'CONCURRENT_UPDATE' | 'STOPPED_BY_OPERATOR' }
  | { readonly refusal: 'INPUT'; readonly faults: readonly SettingsFault[] };
export type SettingsOutcome =
  | ChangeRefusal
  | { readonly refusal?: undefined; readonly settings: BillingSettings };

/** What an operator did to the billing of all stores together, as it is logged. */
export type StopOfAllChange = { readonly allStores: 'resumed' | 'stopped' };

export type StopOfAllDeps = {
  readonly settings: Pick<BillingSettingsRepository, 'resumeAll' | 'stopAll'>;
  /** Puts all stores into the work queue of billing, so that each goes on at once. */
  readonly enqueueAllStores: () => Promise<void>;
  /** Logs the change: a restore of the table replays it. */
  readonly logChange: (change: StopOfAllChange) => void;
};

/** How often a stop, a resume or a confirmation is written when concurrent changes keep coming first. */
const MAX_WRITE_ATTEMPTS = 5;

/**
 * Changes the settings that the input has.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function updateSettings(
  deps: ChangeSettingsDeps,
  store: StoreRecord,
  { input, obstacles }: { readonly input: SettingsInput; readonly obstacles: readonly BillingObstacle[] },
): Promise<SettingsOutcome> {
  const settingsBefore = await deps.settings.read(store.shopId);
  const decision = decideSettingsChange(settingsBefore, input, { store, nowMs: deps.now(), obstacles });
  if ('faults' in decision) return { refusal: 'INPUT', faults: decision.faults };
  return writeSettings(deps, store, { before: settingsBefore, after: decision.settings });
}

/**
 * Stops billing: ten seconds later no new attempt begins. Does nothing if the same party has stopped it already. The store
 * cannot stop billing that is off.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export function stopBilling(
  deps: ChangeSettingsDeps,
  store: StoreRecord,
  party: StoppingParty,
): Promise<SettingsOutcome> {
  const stopField = party === 'STORE' ? 'stoppedByStoreAtMs' : 'stoppedByOperatorAtMs';
  return changeUntilWritten(deps, store, (settings) =>
    settings[stopField] === undefined && (settings.enabled || party === 'OPERATOR')
      ? { ...settings, [stopField]: deps.now() }
      : settings,
  );
}

/**
 * Ends the stop that the store, or the operator, has set. After a restore of the table billing is stopped, until an operator
 * resumes it. Returns the user error STOPPED_BY_OPERATOR when only an operator can resume.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function resumeBilling(
  deps: ChangeSettingsDeps,
  store: StoreRecord,
  party: StoppingParty,
): Promise<SettingsOutcome> {
  if (party === 'OPERATOR') {
    const resumeFields = { stoppedByOperatorAtMs: undefined, resumedByOperatorAtMs: deps.now() };
    return changeUntilWritten(deps, store, (settings) => ({ ...settings, ...resumeFields }));
  }
  const { status } = await readBillingStatus(deps, store);
  if (status === 'STOPPED_BY_OPERATOR') return { refusal: status };
  return changeUntilWritten(deps, store, (settings) =>
    settings.stoppedByStoreAtMs === undefined ? settings : { ...settings, stoppedByStoreAtMs: undefined },
  );
}

/**
 * Stops billing for all stores. Can be repeated.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function stopAllStores({ settings, logChange }: StopOfAllDeps): Promise<void> {
  await settings.stopAll();
  logChange({ allStores: 'stopped' });
}

/**
 * Ends the stop of all stores. Stops of single stores stay. Can be repeated.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function resumeAllStores(deps: StopOfAllDeps): Promise<void> {
  await deps.settings.resumeAll();
  deps.logChange({ allStores: 'resumed' });
  await deps.enqueueAllStores();
}

/**
 * Lets a run on hold go on.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function confirmRun(
  {
    runs,
    enqueueStore,
    now,
  }: Pick<ChangeSettingsDeps, 'enqueueStore' | 'now'> & {
    readonly runs: Pick<BillingRuns, 'find' | 'replace'>;
  },
  shopId: ShopId,
  date: string,
): Promise<
  | { readonly refusal: 'RUN_NOT_FOUND' | 'RUN_NOT_ON_HOLD' | 'CONCURRENT_UPDATE' }
  | { readonly refusal?: undefined; readonly run: BillingRun }
> {
  for (let writeAttempts = 0; writeAttempts < MAX_WRITE_ATTEMPTS; writeAttempts++) {
    const runBefore = isIsoDay(date) ? await runs.find(shopId, date) : undefined;
    if (runBefore === undefined) return { refusal: 'RUN_NOT_FOUND' };
    if (runBefore.status !== 'ON_HOLD') return { refusal: 'RUN_NOT_ON_HOLD' };
    // The store is enqueued before and after the write: see `writeSettings`.
    await enqueueStore(shopId);
    // The confirmation restarts the count of payments that the merchant's account refuses.
    const { holdReason: _reason, merchantRefusalCount: _count, ...runWithoutHold } = runBefore;
    const run = await runs.replace(runBefore, {
      ...runWithoutHold,
      status: 'CHARGING',
      confirmedAtMs: now(),
    });
    if (run === 'refused') continue;
    await enqueueStore(shopId);
    return { run };
  }
  return { refusal: 'CONCURRENT_UPDATE' };
}

async function changeUntilWritten(
  deps: ChangeSettingsDeps,
  store: StoreRecord,
  toChangedSettings: (settings: BillingSettings) => BillingSettings,
): Promise<SettingsOutcome> {
  for (let writeAttempts = 0; writeAttempts < MAX_WRITE_ATTEMPTS; writeAttempts++) {
    const settingsBefore = settingsOfInstallation(await deps.settings.read(store.shopId), store);
    const settingsAfter = toChangedSettings(settingsBefore);
    if (settingsAfter === settingsBefore) return { settings: settingsBefore };
    const outcome = await writeSettings(deps, store, { before: settingsBefore, after: settingsAfter });
    if (outcome.refusal === undefined) return outcome;
  }
  return { refusal: 'CONCURRENT_UPDATE' };
}

/**
 * Enqueues the store before the write, because the process may crash after the write, and again after the write, because the
 * worker may have taken up the store in between.
 */
async function writeSettings(
  deps: ChangeSettingsDeps,
  { shopId }: StoreRecord,
  { before, after }: { readonly before: BillingSettings; readonly after: BillingSettings },
): Promise<SettingsOutcome> {
  await deps.enqueueStore(shopId);
  const writeOutcome = await deps.settings.write(shopId, before, after);
  if (writeOutcome === 'refused') return { refusal: 'CONCURRENT_UPDATE' };
  const writtenSettings = { ...after, version: before.version + 1, updatedAtMs: deps.now() };
  deps.logChange(writtenSettings);
  await deps.enqueueStore(shopId);
  return { settings: writtenSettings };
}
