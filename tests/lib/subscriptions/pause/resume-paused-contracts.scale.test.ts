import { expect, test } from '@jest/globals';
import { fullSize } from '../../../full-size.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { createStoreWorld, HOUR_MS, MINUTE_MS, WEEKLY } from '../../../world/store-world.ts';
import { Crash } from '../../stores/world/faults.ts';

/** With fewer than eight requests' worth, no bucket would ever run low. */
const PAUSES = Math.max(200, fullSize(10_000));
const FIRST = 20_000_001;
const KILLS = 3;
/** At which of a run's requests the handler is killed, when the platform has done it. */
const KILL_AT = Math.max(1, PAUSES / 200);
/** The concurrent points of the store's clients: a burst, and then a share of what the bucket restores. */
const BURST_POINTS = 150;
const SHARE = 0.3;
/** A small bucket: at the platform the smallest holds 2,000 points and restores 100 a second. */
const BUCKET = { maximumAvailable: 1000, restoreRate: 50 };

test(`${PAUSES} pauses end at once: each once, within the budget, though the handler is killed three times`, async () => {
  const world = createStoreWorld(createMemoryTable());
  world.platform.store().throttle = BUCKET;
  const dueAtMs = world.now() + HOUR_MS;
  const ids = Array.from({ length: PAUSES }, (_, index) => FIRST + index);
  for (const id of ids) await world.paused(id, dueAtMs);
  world.later(HOUR_MS);

  const requests = { answered: 0, throttled: 0 };
  let spentAtMs = 0;
  /** Clients of the store spend their share of what was restored since, in requests of 50 points. */
  async function clientsAsk(points: number) {
    const product = 'nodes { id variants(first: 10) { nodes { id } } }';
    const body = JSON.stringify({ query: `{ products(first: 20) { ${product} } }` });
    for (let spent = 0; spent < points; ) {
      const answer = JSON.parse((await world.platform.send(body)).body);
      const cost = answer.extensions.cost;
      spent += cost.actualQueryCost ?? cost.requestedQueryCost;
      requests[answer.data === undefined ? 'throttled' : 'answered'] += 1;
    }
  }

  const progress: number[] = [];
  const isActive = (id: number) => world.status(id) === 'ACTIVE';
  let runs = 0;
  for (; ids.some((id) => !isActive(id)) && runs < 200; runs++) {
    let requests = 0;
    let sent = 0;
    spentAtMs = world.now();
    const { deps } = world.process((document) => {
      if (!document.includes('subscriptionContractActivate')) return undefined;
      requests += 1;
      return runs < KILLS && requests === KILL_AT ? 'die after' : undefined;
    });
    const { sendWithinBudget } = deps;
    const amongClients: typeof sendWithinBudget = async (operation) => {
      const answer = await sendWithinBudget(operation);
      const restored = ((world.now() - spentAtMs) / 1000) * BUCKET.restoreRate;
      spentAtMs = world.now();
      await clientsAsk(restored * SHARE);
      sent += 1;
      if (sent % 3 === 0) await clientsAsk(BURST_POINTS);
      return answer;
    };
    await world.work({ deps: { ...deps, sendWithinBudget: amongClients } }).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    progress.push(ids.filter(isActive).length);
    if (PAUSES >= 10_000) console.log(`run ${runs + 1}: ${progress.at(-1)} of ${PAUSES} resumed`);
    world.later(15 * MINUTE_MS);
  }

  // Two runs more find what the last one has left open, and nothing to resume.
  expect([await world.work(), await world.work()]).toEqual([0, 0]);
  expect(ids.filter((id) => !isActive(id))).toEqual([]);
  // Progress survives each kill.
  expect([0, ...progress]).toEqual([...new Set([0, ...progress])].sort((a, b) => a - b));
  expect(requests.throttled).toBe(0);
  expect(requests.answered).toBeGreaterThan(0);
  for (const id of ids) {
    expect(world.contract(id).revisionId).toBe(world.contract(WEEKLY).revisionId + 1);
    expect(await world.timeline(id)).toEqual(['SERVICE subscription_resumed, no end any more']);
  }
  expect(await world.ends()).toEqual([]);
}, 1_800_000);
