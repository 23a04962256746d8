import { expect, test } from '@jest/globals';
import { fullSize } from '../../full-size.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { Crash } from '../stores/world/faults.ts';
import { createResumeWorld, HOUR_MS, MINUTE_MS, WEEKLY } from './resume-world.ts';

const PAUSES = fullSize(10_000);
const FIRST = 20_000_001;
const KILLS = 3;
/** What the store's clients ask for meanwhile: at once, and then a part of what the bucket restores. */
const BURST_POINTS = 600;
const SHARE = 0.4;

test(`${PAUSES} pauses end at once: each once, within the budget, though the handler is killed three times`, async () => {
  const world = createResumeWorld(createMemoryTable());
  const dueAtMs = world.now() + HOUR_MS;
  const ids = Array.from({ length: PAUSES }, (_, index) => FIRST + index);
  for (const id of ids) await world.paused(id, dueAtMs);
  world.later(HOUR_MS);

  const asked = { answered: 0, throttled: 0 };
  let spentAtMs = 0;
  /** Clients of the store spend their share of what was restored since, in requests of 50 points. */
  async function clientsAsk(points: number) {
    const product = 'nodes { id variants(first: 10) { nodes { id } } }';
    const body = JSON.stringify({ query: `{ products(first: 20) { ${product} } }` });
    for (let spent = 0; spent < points; ) {
      const answer = JSON.parse((await world.platform.send(body)).body);
      const cost = answer.extensions.cost;
      spent += cost.actualQueryCost ?? cost.requestedQueryCost;
      asked[answer.data === undefined ? 'throttled' : 'answered'] += 1;
    }
  }

  const progress: number[] = [];
  const isActive = (id: number) => world.status(id) === 'ACTIVE';
  let runs = 0;
  for (; ids.some((id) => !isActive(id)) && runs < 200; runs++) {
    let requests = 0;
    spentAtMs = world.now();
    const killAt = runs < KILLS ? 2 * (runs + 1) : Number.POSITIVE_INFINITY;
    const { deps } = world.process(() => {
      requests += 1;
      return requests === killAt ? 'die after' : undefined;
    });
    const { sendWithinBudget } = deps;
    const amongClients: typeof sendWithinBudget = async (operation) => {
      const answer = await sendWithinBudget(operation);
      const restored = ((world.now() - spentAtMs) / 1000) * 100;
      spentAtMs = world.now();
      await clientsAsk(restored * SHARE);
      if (requests % 20 === 0) await clientsAsk(BURST_POINTS);
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
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress[0]).toBeGreaterThan(0);
  expect(asked.throttled).toBe(0);
  expect(asked.answered).toBeGreaterThan(0);
  for (const id of ids) {
    expect(world.contract(id).revisionId).toBe(world.contract(WEEKLY).revisionId + 1);
    expect(await world.story(id)).toEqual(['SERVICE subscription_resumed']);
  }
  expect(await world.ends()).toEqual([]);
}, 1_800_000);
