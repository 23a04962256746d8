/**
 * Two workers at the run of one store at the same time, because the first has lost its lease; both go on, or some crash. Each
 * order is charged once.
 */
import { expect, test } from '@jest/globals';
import { fullSize, propertyRuns } from '../../full-size.ts';
import { answers } from '../oracle/examples/examples.ts';
import { createDraw, type Draw } from '../oracle/random/draw.ts';
import { CALM, type RandomFaults } from '../run/fault-profile.ts';
import { listDoubleCharges } from '../run/list-violations.ts';
import { simulate, type World } from '../run/simulate.ts';
import { describeBusyDay, RUN_STARTS_MS } from './describe-busy-day.ts';

const { seed: firstSeed } = propertyRuns(1);
const RUNS = fullSize(300);
const CONTRACTS = 25;
const TIMEOUT_MS = 3_600_000;
/** The behaviours of the platform in which it prevents least. */
const behaviour = { openAttempts: 'several', paymentsPerOrder: 'several', keysRemembered: 'hour' } as const;

/** Ends the lease of the worker that has the store, and starts another worker. Returns for how long it has worked. */
async function startSecondWorker(world: World, draw: Draw): Promise<number> {
  const { agenda, base, crashProcesses, service, startWorker } = world;
  const { now } = service.deps;
  const { items } = await base.scan({ filter: 'attribute_exists(leaseToken)' });
  const lease = items.find(({ pk }) => pk.startsWith('WAKE#billing'));
  if (lease === undefined) return 0;
  await base.put({ ...lease, leaseUntilMs: now() });
  const startedAtMs = now();
  const second = startWorker();
  const [firstCrashes, secondCrashes] = [draw.chance(0.3), draw.chance(0.3)];
  agenda.add(startedAtMs + draw.int(0, draw.pick([300, 3_000, 20_000])), () => {
    if (firstCrashes) crashProcesses();
    if (secondCrashes) second.process.hasCrashed = true;
  });
  await second.runBilling().catch((error: unknown) => {
    if (!second.process.hasCrashed) throw error;
  });
  return now() - startedAtMs;
}

async function runWithTwoWorkers(seed: number) {
  const draw = createDraw(seed);
  const faults: RandomFaults = {
    ...{ ...CALM, behaviour },
    requestMs: () => draw.int(0, draw.pick([50, 500, 2_000])),
    tableMs: () => draw.int(0, draw.pick([5, 50])),
  };
  const description = describeBusyDay(CONTRACTS, () =>
    draw.chance(0.8) ? answers('PAYS') : answers('FRAUD_SUSPECTED'),
  );
  let workedMs = 0;
  const { emulated } = await simulate(description, faults, (world) => {
    const lostAtMs = RUN_STARTS_MS + draw.int(100, draw.pick([2_000, 40_000]));
    world.agenda.add(lostAtMs, async () => {
      workedMs = await startSecondWorker(world, draw);
    });
  });
  const counts = emulated.contracts.map(({ record }) => emulated.attemptsOfService(record).length);
  return { workedMs, doubles: listDoubleCharges(emulated), counts };
}

test(
  'makes exactly one attempt of each order, however the two workers are interleaved',
  async () => {
    let together = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const seed = firstSeed + run;
      const { workedMs, doubles, counts } = await runWithTwoWorkers(seed);
      expect({ seed, doubles, counts: new Set(counts) }).toEqual({ seed, doubles: [], counts: new Set([1]) });
      if (workedMs > 0) together += 1;
    }
    expect(together).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
