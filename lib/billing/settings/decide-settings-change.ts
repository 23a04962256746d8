/** Changes of a store's settings: by its merchant, or by an operator for it. */
import { isIsoDay, isoDayIn } from '../../domain/time-zone.ts';
import type { MessageKey } from '../../messages/message.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { BillingSettings, RetrySettings } from '../records/settings-record.ts';
import { hasStarted, settingsOfInstallation } from './decide-billing-status.ts';
import type { BillingObstacle } from './find-obstacles.ts';
import { addDays } from './run-times.ts';

/** The settings to change; an absent setting stays as it is. */
export type SettingsInput = {
  readonly enabled?: boolean | undefined;
  readonly startsOn?: string | undefined;
  readonly hour?: number | undefined;
  readonly declined?: Partial<RetrySettings> | undefined;
  readonly outOfStock?: Partial<RetrySettings> | undefined;
  readonly askForNewMethod?: boolean | undefined;
};

/** Why a value of the input is not accepted. `path`: the value's field in the input. */
export type SettingsFault = {
  readonly reason:
    | 'STORE_NOT_READY'
    | 'DATE_UNKNOWN'
    | 'DATE_IN_PAST'
    | 'DATE_TOO_FAR'
    | 'STARTED_ALREADY'
    | 'HOUR_INVALID'
    | 'RETRIES_INVALID';
  readonly path: readonly string[];
};

/** The message of each fault, without parameters: what is wrong, and what to do. */
export const MESSAGE_KEY_BY_SETTINGS_FAULT = {
  STORE_NOT_READY: 'billingNotReady',
  DATE_UNKNOWN: 'dayUnknown',
  DATE_IN_PAST: 'billingStartInPast',
  DATE_TOO_FAR: 'billingStartTooFar',
  STARTED_ALREADY: 'billingStarted',
  HOUR_INVALID: 'billingHourInvalid',
  RETRIES_INVALID: 'billingRetriesInvalid',
} as const satisfies Readonly<Record<SettingsFault['reason'], MessageKey>>;

export type SettingsContext = {
  readonly store: Pick<StoreRecord, 'installedAtMs' | 'timeZone'>;
  readonly nowMs: number;
  /** What keeps the store from being billed. */
  readonly obstacles: readonly BillingObstacle[];
};

/** Two days after billing is switched on, so that the merchant can see a preview before the first run. */
const DEFAULT_START_DELAY_DAYS = 2;
const MAX_START_DELAY_DAYS = 366;
/** A store that was off for less than this continues from its earlier first day, so that no order is forgotten. */
const MAX_SHORT_BREAK_MS = 7 * 86_400_000;
const [MAX_RETRIES, MAX_DAYS_BETWEEN_TRIES, MAX_TOTAL_RETRY_DAYS] = [9, 14, 30];

/** Decides the settings after a change. Returns all faults together; then nothing is changed. */
export function decideSettingsChange(
  storedSettings: BillingSettings,
  input: SettingsInput,
  context: SettingsContext,
): { readonly settings: BillingSettings } | { readonly faults: readonly SettingsFault[] } {
  const settingsBefore = settingsOfInstallation(storedSettings, context.store);
  const declinedSettings = { ...settingsBefore.declined, ...withoutUndefined(input.declined) };
  const outOfStockSettings = { ...settingsBefore.outOfStock, ...withoutUndefined(input.outOfStock) };
  const { enabled = settingsBefore.enabled, hour = settingsBefore.hour } = input;
  const isSwitchingOn = enabled && !settingsBefore.enabled;
  const faults: SettingsFault[] = [
    ...(isSwitchingOn && context.obstacles.length > 0
      ? [{ reason: 'STORE_NOT_READY', path: ['enabled'] } as const]
      : []),
    ...findStartsOnFaults(settingsBefore, input, context),
    ...(isIntegerWithin(hour, 0, 23) ? [] : [{ reason: 'HOUR_INVALID', path: ['hour'] } as const]),
    ...findRetryFaults('declined', declinedSettings),
    ...findRetryFaults('outOfStock', outOfStockSettings),
  ];
  if (faults.length > 0) return { faults };
  const { askForNewMethod = settingsBefore.askForNewMethod } = input;
  const changedSettings = {
    ...settingsBefore,
    enabled,
    hour,
    declined: declinedSettings,
    outOfStock: outOfStockSettings,
    askForNewMethod,
  };
  const startsOn =
    input.startsOn ?? (isSwitchingOn ? chooseStartsOn(settingsBefore, context) : settingsBefore.startsOn);
  return {
    settings: {
      ...changedSettings,
      ...(startsOn !== undefined && { startsOn }),
      ...createSwitchFields(settingsBefore, enabled, context),
    },
  };
}

/** The first day of billing cannot change after it has come. Before that, or while billing is off, it can be today or later. */
function findStartsOnFaults(
  { enabled, startsOn: currentStartsOn }: BillingSettings,
  { startsOn }: SettingsInput,
  { store, nowMs }: SettingsContext,
): SettingsFault[] {
  if (startsOn === undefined || startsOn === currentStartsOn) return [];
  const createFaults = (reason: SettingsFault['reason']) => [{ reason, path: ['startsOn'] }];
  const today = isoDayIn(timeZoneOf(store), nowMs);
  if (!isIsoDay(startsOn)) return createFaults('DATE_UNKNOWN');
  if (enabled && currentStartsOn !== undefined && currentStartsOn <= today)
    return createFaults('STARTED_ALREADY');
  if (startsOn < today) return createFaults('DATE_IN_PAST');
  return startsOn > addDays(today, MAX_START_DELAY_DAYS) ? createFaults('DATE_TOO_FAR') : [];
}

function findRetryFaults(
  scheduleName: 'declined' | 'outOfStock',
  { retryAfterDays }: RetrySettings,
): SettingsFault[] {
  const areDaysValid =
    retryAfterDays.length <= MAX_RETRIES &&
    retryAfterDays.every((days) => isIntegerWithin(days, 1, MAX_DAYS_BETWEEN_TRIES)) &&
    retryAfterDays.reduce((sum, days) => sum + days, 0) <= MAX_TOTAL_RETRY_DAYS;
  return areDaysValid ? [] : [{ reason: 'RETRIES_INVALID', path: [scheduleName, 'retryAfterDays'] }];
}

/** Returns the first day of billing when a store switches it on and names none. */
function chooseStartsOn(
  { startsOn, disabledAtMs }: BillingSettings,
  { store, nowMs }: SettingsContext,
): string {
  const today = isoDayIn(timeZoneOf(store), nowMs);
  const isShortBreak = disabledAtMs !== undefined && nowMs - disabledAtMs < MAX_SHORT_BREAK_MS;
  if (startsOn !== undefined && (isShortBreak || startsOn >= today)) return startsOn;
  return addDays(today, DEFAULT_START_DELAY_DAYS);
}

/** Returns the settings that record when billing is switched on or off. Switching on ends the store's own stop. */
function createSwitchFields(
  settingsBefore: BillingSettings,
  enabled: boolean,
  { store, nowMs }: SettingsContext,
): Partial<BillingSettings> {
  if (enabled === settingsBefore.enabled) return {};
  if (!enabled)
    return {
      disabledAtMs: nowMs,
      ...(hasStarted(settingsBefore, store, nowMs) && { lastChargingAtMs: nowMs }),
    };
  const { firstEnabledAtMs = nowMs } = settingsBefore;
  return { enabledAtMs: nowMs, firstEnabledAtMs, stoppedByStoreAtMs: undefined };
}

function isIntegerWithin(value: number, minimum: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

function withoutUndefined(retries: Partial<RetrySettings> = {}): Partial<RetrySettings> {
  const { retryAfterDays, finalAction } = retries;
  return { ...(retryAfterDays && { retryAfterDays }), ...(finalAction && { finalAction }) };
}
