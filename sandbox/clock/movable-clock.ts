/** The clock of the local stack: platform, gateway, scheduler and functions all use it. */
import { machineTimeMs } from './shifted-date.mjs';

export type MovableClock = {
  /** Epoch milliseconds. */
  now(): number;
  /** Returns how far the clock is ahead of the machine's, in milliseconds. */
  offsetMs(): number;
  /** Moves to an instant in epoch milliseconds; resolves when all listeners of `onMove` have resolved. */
  set(ms: number): Promise<void>;
  advance(seconds: number): Promise<void>;
  /** Calls the listener after every move, with the instants before and after. */
  onMove(listener: (move: ClockStep) => void | Promise<void>): void;
};
type ClockStep = { readonly fromMs: number; readonly toMs: number; readonly offsetMs: number };

/** Creates a clock that is ahead of the machine's by an offset, which can change. */
export function createMovableClock(startOffsetMs = 0): MovableClock {
  const clockListeners: ((move: ClockStep) => void | Promise<void>)[] = [];
  let offsetMs = startOffsetMs;
  const now = () => machineTimeMs() + offsetMs;
  async function moveClock(byMs: number): Promise<void> {
    const fromMs = now();
    offsetMs += byMs;
    for (const listener of clockListeners) await listener({ fromMs, toMs: fromMs + byMs, offsetMs });
  }
  return {
    now,
    offsetMs: () => offsetMs,
    set: (ms) => moveClock(ms - now()),
    advance: (seconds) => moveClock(seconds * 1000),
    onMove: (listener) => {
      clockListeners.push(listener);
    },
  };
}
