/**
 * Whoever changes a store, and whatever becomes of its webhooks and of the service's processes: after a night the timeline
 * tells each change once and whose it was, and each endpoint was told of each, in order for each contract.
 */
import { test } from '@jest/globals';
import fc from 'fast-check';
import { fullSize } from '../../../full-size.ts';
import { wronglyAhead } from './held-ahead.ts';
import { wronglyCharged, wronglyMade, wronglySentCharges } from './held-charges.ts';
import { wronglyTold } from './held-model.ts';
import { days, type Step, shortened, textOf } from './held-script.ts';
import { wronglySent } from './held-sent.ts';
import { createHeldWorld } from './held-world.ts';

/** Changes in one world; and steps until a night in between. */
const [CHANGES, STEPS_A_DAY] = [50, 40];
const ALL = fullSize(10_000);
const FIRST_SEED = Number(process.env.SEED ?? 1);

test(`${ALL} changes by whomever, crashes anywhere: each is told once and whose it was, and sent in order`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + ALL / CHANGES; seed++) {
    const [steps = []] = fc.sample(days(CHANGES), { seed, numRuns: 1 });
    if ((await wrongOf(steps)).length === 0) continue;
    const shortest = await shortened(steps, wrongOf);
    const trace = shortest.steps.map(textOf);
    throw new Error([`seed ${seed}`, ...shortest.wrong, 'after', ...trace].join('\n'));
  }
});

async function wrongOf(steps: readonly Step[]): Promise<string[]> {
  const world = await createHeldWorld();
  await world.install();
  for (const [index, step] of steps.entries()) {
    await world.play(step);
    if (index % STEPS_A_DAY === STEPS_A_DAY - 1) await world.night();
  }
  await world.night();
  const told = await world.told();
  const kind = (['store-events', 'webhook-deliveries'] as const)[steps.length % 2] ?? 'store-events';
  const luck = steps.at(-1)?.luck ?? 1;
  await world.uninstall({ kind, dies: { at: luck % 12, when: luck % 2 ? 'before' : 'after' }, luck });
  return [
    ...world.wrong,
    ...wronglyCharged(world.charges(), told),
    ...wronglyMade(world.contracts, told),
    ...world.receipts().flatMap(({ name, receipts }) => wronglySentCharges(name, receipts, told)),
    ...world.receipts().flatMap(({ name, receipts }) => wronglyAhead(name, receipts, world.ahead)),
    ...wronglyTold(world.history, told, world.facts()),
    ...world.receipts().flatMap(({ name, receipts }) => wronglySent(name, receipts, told)),
  ];
}
