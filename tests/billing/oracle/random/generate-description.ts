/** Draws descriptions at random: each dimension that a merchant, a customer, a bank or another server controls. */
import type {
  BillingSettings,
  ContractDescription,
  Description,
  FinalAction,
  RetrySettings,
  StoreChange,
} from '../description.ts';
import { expectCharges } from '../expect-charges.ts';
import { createStoreCalendar, type Run } from '../store-calendar.ts';
import { addDays, DAY_MS, dayAt, HOUR_MS } from '../zone-time.ts';
import { createDraw, type Draw } from './draw.ts';
import { generateContract } from './generate-contract.ts';

/** Zones with and without summer time, on both sides of UTC, and with odd distances from it. */
const ZONES = [
  ...['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Sydney', 'Australia/Lord_Howe', 'Asia/Kolkata'],
  ...['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Santiago'],
] as const;
/** Two months around changes of clocks, a year's end, short months and a leap day. */
const STARTS = ['2027-02-20', '2027-10-10', '2026-12-10', '2028-02-05', '2027-04-20', '2027-08-25'] as const;
/** With two, no and three decimal digits. */
const CURRENCIES = ['USD', 'EUR', 'JPY', 'KWD', 'BHD'] as const;
const ACTIONS: readonly FinalAction[] = ['CANCEL', 'LEAVE', 'PAUSE', 'SKIP'];

export type GenerateOptions = {
  readonly seed: number;
  readonly contractCount: number;
  readonly days: number;
  /** Whether all payments succeed and nothing is changed after the store was switched on. */
  readonly isQuiet?: boolean;
  /** Whether customers, the merchant and another server act in the minutes of the service's runs, too. */
  readonly isBusyAtRuns?: boolean;
};

/** Returns the same description for the same options. Each hold is confirmed or not, at random. */
export function generateDescription(options: GenerateOptions): Description {
  const { seed, contractCount, days, isQuiet = false, isBusyAtRuns = false } = options;
  const draw = createDraw(seed);
  const fromMs = Date.parse(`${draw.pick(STARTS)}T00:00:00Z`) + draw.int(0, 23) * HOUR_MS;
  const untilMs = fromMs + days * DAY_MS;
  const span = { fromMs, untilMs };
  const timeZone = draw.pick(ZONES);
  const switchOn = createSwitchOn(draw, { fromMs, timeZone, isQuiet });
  // Currencies change nothing else that a seed draws.
  const currencies = createDraw(seed + 2 ** 31);
  const currencyCode = currencies.pick(CURRENCIES);
  const store = {
    ...{ timeZone, currencyCode },
    changes: [switchOn, ...(isQuiet ? [] : generateChanges(draw, { ...span, timeZone }))],
    earlyWithoutIndex: draw.pick(['charged', 'refused'] as const),
  };
  const { runs } = createStoreCalendar(store, untilMs);
  const runTimes = isBusyAtRuns ? runs.map(({ atMs }) => atMs) : [];
  const stops = isBusyAtRuns ? generateStopsAtRuns(draw, { runs, changes: store.changes }) : [];
  const contracts = draw.list(contractCount, (at): ContractDescription => {
    const currency = currencies.chance(0.7) ? currencyCode : currencies.pick(CURRENCIES);
    return generateContract(draw, { ...span, id: at + 1, currencyCode: currency, isQuiet, runTimes });
  });
  const changes = [...store.changes, ...stops].toSorted((one, other) => one.atMs - other.atMs);
  return confirmHolds(draw, { ...span, store: { ...store, changes }, contracts });
}

type RunsOfStore = { readonly runs: readonly Run[]; readonly changes: readonly StoreChange[] };

/** Draws stops in the minutes in which a run is under way, and in which nothing else is changed. */
function generateStopsAtRuns(draw: Draw, { runs, changes }: RunsOfStore): readonly StoreChange[] {
  return runs.flatMap((run): readonly StoreChange[] => {
    const stopMs = run.atMs + draw.int(60, 120) * 1000;
    const resumeMs = stopMs + draw.int(1, 20) * HOUR_MS;
    const isAlone = changes.every(({ atMs }) => atMs < stopMs || atMs > resumeMs);
    if (!isAlone || draw.chance(0.85)) return [];
    return [
      { kind: 'stop', atMs: stopMs },
      { kind: 'resume', atMs: resumeMs },
    ];
  });
}

type Span = { readonly fromMs: number; readonly untilMs: number; readonly timeZone: string };

/** A quiet store has a preview for each of its days. */
function createSwitchOn(
  draw: Draw,
  { fromMs, timeZone, isQuiet }: Pick<Span, 'fromMs' | 'timeZone'> & { readonly isQuiet: boolean },
): StoreChange {
  const atMs = fromMs + draw.int(0, 30) * HOUR_MS;
  const startsOn = addDays(dayAt(atMs, timeZone), isQuiet ? draw.int(1, 3) : draw.int(0, 5));
  const settings = { enabled: true, startsOn, ...generateSettings(draw) };
  return { kind: 'settings', atMs, settings };
}

function generateSettings(draw: Draw): Partial<BillingSettings> {
  return {
    ...(draw.chance(0.8) && { hour: draw.int(0, 23) }),
    ...(draw.chance(0.6) && { declined: generateRetries(draw) }),
    ...(draw.chance(0.4) && { outOfStock: generateRetries(draw) }),
  };
}

/** At most nine numbers from 1 to 14, 30 together. */
function generateRetries(draw: Draw): RetrySettings {
  const retryAfterDays: number[] = [];
  let left = 30;
  for (let count = draw.int(0, 9); count > 0 && left > 0; count -= 1) {
    const days = draw.int(1, Math.min(14, left));
    retryAfterDays.push(days);
    left -= days;
  }
  return { retryAfterDays, finalAction: draw.pick(ACTIONS) };
}

function generateChanges(draw: Draw, { fromMs, untilMs, timeZone }: Span): readonly StoreChange[] {
  const changes: StoreChange[] = [];
  let atMs = fromMs + 2 * DAY_MS;
  for (let count = draw.int(0, 4); count > 0; count -= 1) {
    atMs += draw.int(1, 12 * 24) * HOUR_MS + draw.int(0, 59) * 60_000;
    const laterMs = atMs + draw.int(1, 90) * HOUR_MS;
    if (laterMs >= untilMs) break;
    const kind = draw.pick(['hour', 'zone', 'stop', 'off'] as const);
    if (kind === 'hour') changes.push({ kind: 'settings', atMs, settings: generateSettings(draw) });
    if (kind === 'zone') changes.push({ kind: 'zone', atMs, timeZone: draw.pick(ZONES) });
    if (kind === 'stop') changes.push({ kind: 'stop', atMs }, { kind: 'resume', atMs: laterMs });
    if (kind === 'off') {
      const startsOn = addDays(dayAt(laterMs, timeZone), draw.int(1, 3));
      changes.push({ kind: 'settings', atMs, settings: { enabled: false } });
      changes.push({ kind: 'settings', atMs: laterMs, settings: { enabled: true, startsOn } });
    }
    atMs = laterMs;
  }
  return changes;
}

/** Adds confirmations of most runs that are on hold, up to three days later. */
function confirmHolds(draw: Draw, description: Description): Description {
  const { runs } = expectCharges(description);
  const confirmations = runs
    .filter(({ holdReason }) => holdReason !== null && draw.chance(0.8))
    .map(
      ({ day, earliestMs }): StoreChange => ({
        ...{ kind: 'confirm', day, atMs: earliestMs + draw.int(1, 72) * HOUR_MS },
      }),
    );
  const changes = [...description.store.changes, ...confirmations];
  const store = { ...description.store, changes: changes.sort((one, other) => one.atMs - other.atMs) };
  return { ...description, store };
}
