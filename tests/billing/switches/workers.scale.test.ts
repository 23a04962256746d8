/**
 * Several workers at the run of one store at the same time, because each has lost its lease to the next; all go on, some crash,
 * some are paused for longer than their claims. Each order is charged once, and its charge ends as its attempt.
 */
import { expect, test } from '@jest/globals';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { fullSize, propertyRuns } from '../../full-size.ts';
import type { Answer, ContractEvent, Description } from '../oracle/description.ts';
import { createDraw, type Draw } from '../oracle/random/draw.ts';
import { CALM, type RandomFaults } from '../run/fault-profile.ts';
import { listDoubleCharges } from '../run/list-violations.ts';
import { type Simulation, simulate, type World } from '../run/simulate.ts';
import { describeBusyDay, RUN_STARTS_MS } from './describe-busy-day.ts';

const { seed: firstSeed } = propertyRuns(1);
const RUNS = fullSize(300);
const CONTRACTS = 25;
const TIMEOUT_MS = 3_600_000;
/** The behaviours of the platform in which it prevents least. */
const behaviour = { openAttempts: 'several', paymentsPerOrder: 'several', keysRemembered: 'hour' } as const;

/** An order is paid, or never tried again. */
function drawAnswers(draw: Draw): readonly Answer[] {
  return [
    { outcome: draw.chance(0.8) ? 'PAYS' : 'FRAUD_SUSPECTED', seconds: draw.int(0, draw.pick([2, 20])) },
  ];
}

/**
 * Customers replace their cards while the workers are at their orders, so that the next attempt has another key: contracts
 * with odd ids get another payment method (`emulated-store.ts`).
 */
function describeStore(draw: Draw): Description {
  const description = describeBusyDay(CONTRACTS, () => drawAnswers(draw));
  const drawEvents = (): readonly ContractEvent[] =>
    draw.list(draw.int(0, 4), () => ({
      ...{ kind: 'card', atMs: RUN_STARTS_MS + draw.int(0, draw.pick([10_000, 30_000])) },
      card: { answers: drawAnswers(draw) },
    }));
  const contracts = description.contracts.map((contract) => ({
    ...contract,
    id: 2 * contract.id - 1,
    events: drawEvents(),
  }));
  return { ...description, contracts };
}

/** Ends the lease of the worker that has the store, and starts another worker. Returns for how long it has worked. */
async function startNextWorker(world: World, draw: Draw): Promise<number> {
  const { agenda, base, crashProcesses, service, startWorker } = world;
  const { now } = service.deps;
  const { items } = await base.scan({ filter: 'attribute_exists(leaseToken)' });
  const lease = items.find(({ pk }) => pk.startsWith('WAKE#billing'));
  if (lease === undefined) return 0;
  await base.put({ ...lease, leaseUntilMs: now() });
  const startedAtMs = now();
  const next = startWorker();
  const [othersCrash, nextCrashes] = [draw.chance(0.2), draw.chance(0.2)];
  agenda.add(startedAtMs + draw.int(0, draw.pick([300, 3_000, 20_000])), () => {
    if (othersCrash) crashProcesses();
    if (nextCrashes) next.process.hasCrashed = true;
  });
  await next.runBilling().catch((error: unknown) => {
    if (!next.process.hasCrashed) throw error;
  });
  return now() - startedAtMs;
}

async function runWithSeveralWorkers(seed: number) {
  const draw = createDraw(seed);
  const pauseShare = draw.pick([0, 0.003, 0.01]);
  const faults: RandomFaults = {
    ...{ ...CALM, behaviour },
    requestMs: () => draw.int(0, draw.pick([50, 500, 10_000])),
    // A process that is paused goes on after its claims have expired.
    tableMs: () =>
      draw.chance(pauseShare) ? draw.int(0, draw.pick([20_000, 60_000])) : draw.int(0, draw.pick([5, 50])),
  };
  let workedMs = 0;
  const simulation = await simulate(describeStore(draw), faults, (world) => {
    const { agenda, service } = world;
    for (
      let atMs = RUN_STARTS_MS + 500;
      atMs < RUN_STARTS_MS + 120_000;
      atMs += draw.int(1_000, draw.pick([5_000, 40_000]))
    ) {
      agenda.add(atMs + draw.int(100, 2_000), async () => {
        workedMs += await startNextWorker(world, draw);
      });
      agenda.add(atMs, () => service.runStoreEvents({ withReconciliation: false }));
    }
  });
  return { workedMs, faults: await listFaults(simulation) };
}

/** What is expected of each order: its attempts, its charge with the failed tries, and its entries in the timeline. */
const EXPECTED: ReadonlySet<string> = new Set([
  'PAYS: CHARGED 0, billing_cycle_charged',
  'FRAUD_SUSPECTED: ENDED 1, billing_cycle_declined, billing_cycle_not_charged',
]);

/** Lists orders that were charged twice, or whose charge or timeline does not agree with their one attempt. */
async function listFaults({ emulated, service, store }: Simulation): Promise<string[]> {
  const { shopId } = store();
  const faults = listDoubleCharges(emulated);
  for (const { record } of emulated.contracts) {
    const contractNumber = String(record.id) as ContractNumber;
    const attempts = emulated.attemptsOfService(record).map(({ errorCode }) => errorCode ?? 'PAYS');
    const [charge] = await service.deps.charges.listOfContract({ shopId, contractNumber });
    const contracts = [contractNumber];
    const [page] = await service.deps.timeline.readEvents({ shopId, contracts, args: { first: 50 } });
    const entries = (page?.edges ?? []).filter(
      ({ record: { details } }) => 'billingCycleIndex' in (details ?? {}),
    );
    const actions = entries.map(({ record: { action } }) => action).toSorted();
    const order = [`${attempts}: ${charge?.state} ${charge?.failedTryCount}`, ...actions].join(', ');
    if (!EXPECTED.has(order)) faults.push(`contract ${record.id}: ${order}`);
  }
  return faults;
}

test(
  'makes exactly one attempt of each order, and tells it once, however the workers are interleaved',
  async () => {
    let together = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const seed = firstSeed + run;
      const { workedMs, faults } = await runWithSeveralWorkers(seed);
      expect({ seed, faults }).toEqual({ seed, faults: [] });
      if (workedMs > 0) together += 1;
    }
    expect(together).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
