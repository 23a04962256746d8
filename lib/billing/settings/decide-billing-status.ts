/** Whether the service charges a store's orders now. */
import { isoDayIn } from '../../domain/time-zone.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { BillingStop } from '../records/settings.ts';
import { type BillingSettings, DEFAULT_BILLING_SETTINGS } from '../records/settings-record.ts';

export type BillingStatus = 'OFF' | 'STARTING' | 'ON' | 'STOPPED_BY_STORE' | 'STOPPED_BY_OPERATOR';

type StoreState = Pick<StoreRecord, 'status' | 'installedAtMs' | 'restoredAtMs' | 'timeZone'>;

export type StatusContext = {
  readonly store: StoreState;
  readonly nowMs: number;
  /** The operators' stop of all stores. */
  readonly stopOfAllStores: BillingStop | undefined;
};

/**
 * Returns the settings that apply to the app's present installation: the defaults, when the stored settings are from before
 * it. An operator's stop stays in force.
 */
export function settingsOfInstallation(
  settings: BillingSettings,
  { installedAtMs }: Pick<StoreRecord, 'installedAtMs'>,
): BillingSettings {
  const { version, updatedAtMs = 0, stoppedByOperatorAtMs } = settings;
  if (version === 0 || updatedAtMs >= installedAtMs) return settings;
  const operatorStop = stoppedByOperatorAtMs === undefined ? {} : { stoppedByOperatorAtMs };
  return { ...DEFAULT_BILLING_SETTINGS, version, ...operatorStop };
}

/**
 * Decides the status from the stored settings. A store that was restored after billing was first switched on, and that
 * no operator has resumed since, counts as stopped by an operator: charges and settings may be lost.
 */
export function decideBillingStatus(
  storedSettings: BillingSettings,
  { store, nowMs, stopOfAllStores }: StatusContext,
): BillingStatus {
  const settings = settingsOfInstallation(storedSettings, store);
  if (!settings.enabled || store.status !== 'installed') return 'OFF';
  const isStoppedByOperator = stopOfAllStores !== undefined || settings.stoppedByOperatorAtMs !== undefined;
  if (isStoppedByOperator || isStoppedByRestore(settings, store)) return 'STOPPED_BY_OPERATOR';
  if (settings.stoppedByStoreAtMs !== undefined) return 'STOPPED_BY_STORE';
  return hasStarted(settings, store, nowMs) ? 'ON' : 'STARTING';
}

/** Whether billing is switched on, and its first day has begun. */
export function hasStarted(
  { enabled, startsOn = '' }: Pick<BillingSettings, 'enabled' | 'startsOn'>,
  store: Pick<StoreRecord, 'timeZone'>,
  nowMs: number,
): boolean {
  return enabled && isoDayIn(timeZoneOf(store), nowMs) >= startsOn;
}

function isStoppedByRestore(
  { firstEnabledAtMs = 0, resumedByOperatorAtMs = 0 }: BillingSettings,
  { restoredAtMs = 0 }: StoreState,
): boolean {
  return firstEnabledAtMs > 0 && restoredAtMs >= Math.max(firstEnabledAtMs, resumedByOperatorAtMs);
}
