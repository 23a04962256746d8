/**
 * When a store may be charged, by what its merchant and the operators did: written from the design alone, apart from the
 * service.
 */
import { dayAt, HOUR_MS } from '../oracle/zone-time.ts';

/** What merchants and operators have done until a moment. */
export type SwitchState = {
  readonly isInstalled: boolean;
  readonly isOn: boolean;
  /** The first day, as the service has answered it. */
  readonly startsOn: string;
  readonly hour: number;
  readonly timeZone: string;
  readonly isStoppedByStore: boolean;
  readonly isStoppedByOperator: boolean;
  readonly areAllStopped: boolean;
  /** After a restore a store that was ever on stands still until an operator resumes it. */
  readonly waitsAfterRestore: boolean;
  readonly wasEverOn: boolean;
  /** When billing was last switched off after its first day had begun. */
  readonly lastChargingAtMs: number;
  /** When the store's data was last purged. */
  readonly purgedAtMs: number;
};

/** A state from a moment on, until the next one. */
type Period = SwitchState & { readonly fromMs: number };
export type ExpectedSwitches = ReturnType<typeof createExpectedSwitches>;

const NEW_STORE: SwitchState = {
  ...{ isInstalled: true, isOn: false, startsOn: '9999-12-31', hour: 10, timeZone: 'UTC' },
  ...{ isStoppedByStore: false, isStoppedByOperator: false, areAllStopped: false },
  ...{ waitsAfterRestore: false, wasEverOn: false, lastChargingAtMs: 0, purgedAtMs: 0 },
};
/** Settings are read at most so long before an attempt, and times of attempts are whole seconds. */
const STOP_MS = 10_000 + 1_000;

/** Creates the states of a store that is installed, with billing off. */
export function createExpectedSwitches(fromMs: number, timeZone: string) {
  const periods: Period[] = [{ ...NEW_STORE, fromMs, timeZone }];
  const state = (): SwitchState => periods.at(-1) ?? NEW_STORE;
  const stateAt = (ms: number): SwitchState => periods.findLast((each) => each.fromMs <= ms) ?? NEW_STORE;
  return {
    periods,
    state,
    /** Notes what was done at a moment; moments follow each other. */
    change(atMs: number, change: Partial<SwitchState>): void {
      periods.push({ ...state(), ...change, fromMs: atMs });
    },
    /** Returns why no attempt for an order may be made at this time; undefined if one may. */
    findObjection(atMs: number, expectedMs: number): string | undefined {
      const recent = periods.filter(
        ({ fromMs: from }, index) =>
          from <= atMs + 1_000 && (periods[index + 1]?.fromMs ?? Infinity) >= atMs - STOP_MS,
      );
      if (!recent.some(mayCharge)) return `charged while it may not be: ${describe(stateAt(atMs))}`;
      // A run has found the order by the time zone of its time.
      const zones = new Set(
        periods.filter(({ fromMs: from }) => from <= atMs).map(({ timeZone: zone }) => zone),
      );
      const isFromFirstDay = ({ startsOn }: Period) =>
        [...zones].some(
          (zone) => dayAt(expectedMs, zone) >= startsOn && dayAt(atMs + 1_000, zone) >= startsOn,
        );
      return recent.some(isFromFirstDay) ? undefined : 'charged before the first day';
    },
    /**
     * Whether the service had the time to deal with an order: it was on for so long without a break, after the order was
     * due and last changed, and before it fell out of the searches.
     */
    hadTimeFor(expectedMs: number, { sinceMs, untilMs, durationMs, reachMs }: Deadlines): boolean {
      const { purgedAtMs } = state();
      let openFromMs: number | undefined;
      for (const [index, period] of periods.entries()) {
        const endMs = Math.min(periods[index + 1]?.fromMs ?? untilMs, untilMs);
        const isOpen = mayCharge(period) && dayAt(expectedMs, period.timeZone) >= period.startsOn;
        if (!isOpen) openFromMs = undefined;
        else openFromMs ??= Math.max(period.fromMs, expectedMs, sinceMs, purgedAtMs);
        if (openFromMs === undefined) continue;
        if (openFromMs - expectedMs < reachMs && endMs - openFromMs >= durationMs) return true;
      }
      return false;
    },
    /** Whether the service refuses attempts of the merchant's server. */
    refusesJob(atMs: number): boolean {
      const { isInstalled, isOn, startsOn, lastChargingAtMs, timeZone: zone } = state();
      if (!isInstalled || (isOn && dayAt(atMs, zone) >= startsOn)) return true;
      return atMs < lastChargingAtMs + HOUR_MS;
    },
  };
}

type Deadlines = {
  /** When the order was last changed by others. */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly durationMs: number;
  readonly reachMs: number;
};

function mayCharge(state: SwitchState): boolean {
  const { isStoppedByStore, isStoppedByOperator, areAllStopped, waitsAfterRestore } = state;
  const isStopped = isStoppedByStore || isStoppedByOperator || areAllStopped || waitsAfterRestore;
  return state.isInstalled && state.isOn && !isStopped;
}

function describe(state: SwitchState): string {
  const { isInstalled, isOn, isStoppedByStore, isStoppedByOperator, areAllStopped, waitsAfterRestore } =
    state;
  const facts = {
    isInstalled,
    isOn,
    isStoppedByStore,
    isStoppedByOperator,
    areAllStopped,
    waitsAfterRestore,
  };
  return JSON.stringify(facts);
}
