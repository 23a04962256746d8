/** Changes of a store's settings: by its merchant, or by an operator for it. */
import { isIsoDay, isoDayIn } from '../../domain/time-zone.ts';
import type { MessageKey } from '../../messages/message.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { BillingSettings, RetrySettings } from '../records/settings-record.ts';
import { hasStarted, settingsOfInstallation } from './decide-billing-status.ts';
import type { BillingObstacle } from './find-obstacles.ts';
import { addDays } from './run-times.ts';

/** The values to change; what is absent stays. */
export type SettingsInput = {
  readonly enabled?: boolean | undefined;
  readonly startsOn?: string | undefined;
  readonly hour?: number | undefined;
  readonly declined?: Partial<RetrySettings> | undefined;
  readonly outOfStock?: Partial<RetrySettings> | undefined;
  readonly askForNewMethod?: boolean | undefined;
};

/** A value that is not accepted. `path`: its field in the input. */
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

/** What is said of each fault, and what to do: a message without parameters. */
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

/** By default a preview is seen before the first run. */
const DEFAULT_START_DAYS = 2;
const MAX_START_DAYS = 366;
/** A store that was off for less than this continues from its earlier first day, so that no order is forgotten. */
const SHORT_BREAK_MS = 7 * 86_400_000;
const [MAX_RETRIES, MAX_DAYS, MAX_DAYS_TOGETHER] = [9, 14, 30];

/** Decides the settings after a change. Returns all faults together; then nothing is changed. */
export function decideSettingsChange(
  stored: BillingSettings,
  input: SettingsInput,
  context: SettingsContext,
): { readonly settings: BillingSettings } | { readonly faults: readonly SettingsFault[] } {
  const settingsBefore = settingsOfInstallation(stored, context.store);
  const declinedSettings = { ...settingsBefore.declined, ...withoutUndefined(input.declined) };
  const outOfStock = { ...settingsBefore.outOfStock, ...withoutUndefined(input.outOfStock) };
  const { enabled = settingsBefore.enabled, hour = settingsBefore.hour } = input;
  const isSwitchedOn = enabled && !settingsBefore.enabled;
  const faults: SettingsFault[] = [
    ...(isSwitchedOn && context.obstacles.length > 0
      ? [{ reason: 'STORE_NOT_READY', path: ['enabled'] } as const]
      : []),
    ...findStartsOnFaults(settingsBefore, input, context),
    ...(isIntegerWithin(hour, 0, 23) ? [] : [{ reason: 'HOUR_INVALID', path: ['hour'] } as const]),
    ...findRetryFaults('declined', declinedSettings),
    ...findRetryFaults('outOfStock', outOfStock),
  ];
  if (faults.length > 0) return { faults };
  const { askForNewMethod = settingsBefore.askForNewMethod } = input;
  const changedSettings = {
    ...settingsBefore,
    enabled,
    hour,
    declined: declinedSettings,
    outOfStock,
    askForNewMethod,
  };
  const startsOn =
    input.startsOn ?? (isSwitchedOn ? chooseStart(settingsBefore, context) : settingsBefore.startsOn);
  return {
    settings: {
      ...changedSettings,
      ...(startsOn !== undefined && { startsOn }),
      ...describeSwitch(settingsBefore, enabled, context),
    },
  };
}

/** The first day stays once it has come. Before it, and while billing is off, it can be today or later. */
function findStartsOnFaults(
  { enabled, startsOn: present }: BillingSettings,
  { startsOn }: SettingsInput,
  { store, nowMs }: SettingsContext,
): SettingsFault[] {
  if (startsOn === undefined || startsOn === present) return [];
  const createFault = (reason: SettingsFault['reason']) => [{ reason, path: ['startsOn'] }];
  const today = isoDayIn(timeZoneOf(store), nowMs);
  if (!isIsoDay(startsOn)) return createFault('DATE_UNKNOWN');
  if (enabled && present !== undefined && present <= today) return createFault('STARTED_ALREADY');
  if (startsOn < today) return createFault('DATE_IN_PAST');
  return startsOn > addDays(today, MAX_START_DAYS) ? createFault('DATE_TOO_FAR') : [];
}

function findRetryFaults(
  name: 'declined' | 'outOfStock',
  { retryAfterDays }: RetrySettings,
): SettingsFault[] {
  const areDaysValid =
    retryAfterDays.length <= MAX_RETRIES &&
    retryAfterDays.every((days) => isIntegerWithin(days, 1, MAX_DAYS)) &&
    retryAfterDays.reduce((sum, days) => sum + days, 0) <= MAX_DAYS_TOGETHER;
  return areDaysValid ? [] : [{ reason: 'RETRIES_INVALID', path: [name, 'retryAfterDays'] }];
}

/** Returns the first day of a store that is switched on without one. */
function chooseStart({ startsOn, disabledAtMs }: BillingSettings, { store, nowMs }: SettingsContext): string {
  const today = isoDayIn(timeZoneOf(store), nowMs);
  const isShortBreak = disabledAtMs !== undefined && nowMs - disabledAtMs < SHORT_BREAK_MS;
  if (startsOn !== undefined && (isShortBreak || startsOn >= today)) return startsOn;
  return addDays(today, DEFAULT_START_DAYS);
}

/** Returns the times of a switch. Switching on ends the store's own stop. */
function describeSwitch(
  before: BillingSettings,
  enabled: boolean,
  { store, nowMs }: SettingsContext,
): Partial<BillingSettings> {
  if (enabled === before.enabled) return {};
  if (!enabled)
    return { disabledAtMs: nowMs, ...(hasStarted(before, store, nowMs) && { lastChargingAtMs: nowMs }) };
  const { firstEnabledAtMs = nowMs } = before;
  return { enabledAtMs: nowMs, firstEnabledAtMs, stoppedByStoreAtMs: undefined };
}

function isIntegerWithin(value: number, minimum: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

function withoutUndefined(retries: Partial<RetrySettings> = {}): Partial<RetrySettings> {
  const { retryAfterDays, finalAction } = retries;
  return { ...(retryAfterDays && { retryAfterDays }), ...(finalAction && { finalAction }) };
}
