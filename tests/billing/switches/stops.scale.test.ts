/** A stop between any two requests of a run: the last attempt is made at most ten seconds later, and none is lost. */
import { expect, test } from '@jest/globals';
import { resumeBilling, stopBilling } from '../../../lib/billing/settings/change-settings.ts';
import { fullSize, propertyRuns } from '../../full-size.ts';
import type { Platform } from '../../sandbox/platform/admin/harness.ts';
import { createDraw } from '../oracle/random/draw.ts';
import { CALM } from '../run/fault-profile.ts';
import { listDoubleCharges } from '../run/list-violations.ts';
import { simulate } from '../run/simulate.ts';
import { describeBusyDay, RUN_STARTS_MS } from './describe-busy-day.ts';

const { seed: firstSeed } = propertyRuns(1);
const RUNS = fullSize(300);
const CONTRACTS = 45;
const TIMEOUT_MS = 3_600_000;
const HOUR_MS = 3_600_000;

async function takePoints({ send }: Platform, points: number): Promise<void> {
  const roots = Array.from({ length: points }, (_, at) => `shop${at}: shop { id }`);
  await send(JSON.stringify({ query: `{ ${roots.join(' ')} }` }));
}

async function stopInRun(seed: number) {
  const draw = createDraw(seed);
  const description = describeBusyDay(CONTRACTS);
  const stopMs = RUN_STARTS_MS + draw.int(5_000, draw.pick([40_000, 90_000]));
  const faults = { ...CALM, requestMs: () => draw.int(0, draw.pick([200, 2_000, 4_000])) };
  const { emulated } = await simulate(
    description,
    faults,
    ({ agenda, emulated: { platform, state }, service }) => {
      // Points come slowly, and other clients of the store take some, so attempts wait for them.
      state.throttle = { maximumAvailable: 1_000, restoreRate: draw.pick([20, 50, 100]) };
      for (let atMs = RUN_STARTS_MS; atMs < RUN_STARTS_MS + 90_000; atMs += draw.int(100, 4_000))
        agenda.add(atMs, () => takePoints(platform, draw.int(10, 200)));
      const { deps, store } = service;
      const all = { ...deps, logChange: () => undefined };
      agenda.add(stopMs, () => stopBilling(all, store(), 'STORE').then(() => undefined));
      agenda.add(stopMs + HOUR_MS, () => resumeBilling(all, store(), 'STORE').then(() => undefined));
    },
  );
  const times = emulated.contracts
    .flatMap(({ record }) => emulated.attemptsOfService(record))
    .map(({ createdAt }) => Date.parse(createdAt));
  const beforeResume = times.filter((atMs) => atMs < stopMs + HOUR_MS);
  const lateMs = Math.max(...beforeResume.map((atMs) => atMs - stopMs), 0);
  const wasInterrupted = beforeResume.length > 0 && beforeResume.length < times.length;
  return { lateMs, wasInterrupted, attemptCount: times.length, doubles: listDoubleCharges(emulated) };
}

test(
  'makes no attempt later than ten seconds after a stop, and charges all orders after it is resumed',
  async () => {
    let interrupted = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const seed = firstSeed + run;
      const { lateMs, wasInterrupted, attemptCount, doubles } = await stopInRun(seed);
      expect({ seed, isLate: lateMs > 10_000, attemptCount, doubles }).toEqual({
        ...{ seed, isLate: false, attemptCount: CONTRACTS, doubles: [] },
      });
      if (wasInterrupted) interrupted += 1;
    }
    expect(interrupted).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
