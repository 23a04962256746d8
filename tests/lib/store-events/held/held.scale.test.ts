/**
 * Whoever changes a store, and whatever becomes of its webhooks and of the service's processes: after a night the timeline
 * tells each change once and whose it was, and each endpoint was told of each, in order for each contract.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fullSize, isFullSize } from '../../../full-size.ts';
import { days, type Run, type Step, shortened, textOf } from './held-script.ts';
import { createHeldWorld } from './held-world.ts';
import { wronglyAhead } from './told/held-ahead.ts';
import { wronglyCharged, wronglyMade, wronglySentCharges } from './told/held-charges.ts';
import { untoldOwn, wronglyNoticed, wronglySentSince } from './told/held-erased.ts';
import { wronglyExternal, wronglyMirrored } from './told/held-mirror.ts';
import { wronglyReplayed } from './told/held-replays.ts';
import type { Made, Night } from './told/held-told.ts';

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

const ERASED = fullSize(2_000);

test(`${ERASED} changes, and a customer is forgotten amidst them: nobody is named after that, and what the service does is told`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + Math.ceil(ERASED / CHANGES); seed++) {
    const [steps = []] = fc.sample(days(CHANGES), { seed, numRuns: 1 });
    if ((await wrongOfErased(steps)).length === 0) continue;
    const shortest = await shortened(steps, wrongOfErased);
    throw new Error([`seed ${seed}`, ...shortest.wrong, 'after', ...shortest.steps.map(textOf)].join('\n'));
  }
});

/** Half of the steps, then the customer is forgotten, then the others: the customer acts no more, nor does anybody for them. */
async function wrongOfErased(steps: readonly Step[]): Promise<string[]> {
  const world = await createHeldWorld();
  await world.install();
  await world.night();
  const half = Math.floor(steps.length / 2);
  for (const step of steps.slice(0, half)) await world.play(step);
  const luck = steps.at(-1)?.luck ?? 1;
  const dies = { at: luck % 60, when: luck % 2 ? 'before' : 'after' } as const;
  const erased = await world.erase({ dies, luck });
  const from = world.history.length;
  for (const step of steps.slice(half)) await world.play(asStore(step));
  await world.night();
  await world.night();
  const told = await world.told();
  const made = world.history.slice(from).filter(isMade);
  const since = told.filter(({ createdAtMs }) => createdAtMs > erased.doneMs);
  return [
    ...world.wrong,
    ...untoldOwn(made, since),
    ...wronglyNoticed(told, erased),
    ...world.receipts().flatMap(({ name, receipts }) => wronglySentSince(name, receipts, erased)),
    ...(await world.named()).map((item) => `the customer is named in ${item}`),
  ];
}

function asStore(step: Step): Step {
  if (step.kind !== 'own') return step;
  const { beside } = step;
  return { ...step, as: 'store', ...(beside?.kind === 'own' && { beside: { ...beside, as: 'store' } }) };
}

const CRASHED = [
  'pause for a while',
  'quantity',
  'discount',
  'address',
  'skip',
  'charge',
  'contract',
] as const;

/** A change here, another elsewhere, and all that tell of them. */
function story(name: (typeof CRASHED)[number]): Step[] {
  const of = { contract: 9_101_001, choice: 1, luck: 3 } as const;
  const run = (kind: Run['kind'], seconds: number): Step => ({ kind, seconds, luck: 3, dies: undefined });
  return [
    { ...of, kind: 'own', name, as: 'store', dies: undefined, seconds: 61 },
    { ...of, kind: 'elsewhere', name: 'attributes', seconds: 20 },
    run('store-events', 70),
    run('store-events', 700),
    run('scheduled-work', 20),
    run('webhook-deliveries', 20),
  ];
}

const atFullSize = isFullSize ? test : test.skip;

atFullSize.each(CRASHED)('%s: each process dies before and after each of its writes, once', async (name) => {
  const steps = story(name);
  for (const [place, step] of steps.entries()) {
    if (!('dies' in step)) continue;
    for (let at = 0, isDying = true; isDying; at++) {
      for (const when of ['before', 'after'] as const) {
        const dying = steps.with(place, { ...step, dies: { at, when } });
        const { wrong, died } = await playedOut(dying, place);
        if (wrong.length > 0) throw new Error([...wrong, 'after', ...dying.map(textOf)].join('\n'));
        isDying = died;
      }
    }
  }
});

test('what was perhaps made hides nothing that others do after a night', async () => {
  const world = await createHeldWorld();
  await world.install();
  const of = { contract: 9_101_001, name: 'add line', choice: 1, luck: 3, seconds: 120 } as const;
  await world.play({ ...of, kind: 'own', as: 'customer', dies: { at: 1, when: 'after' } });
  await world.night();
  await world.play({ ...of, kind: 'elsewhere' });
  await world.night();
  const told = await world.told();
  expect(told.map(({ actor, outcome }) => [actor.kind, outcome])).toEqual([
    ['CUSTOMER', 'UNKNOWN'],
    ['UNKNOWN', 'DONE'],
  ]);
  expect(
    world.receipts().flatMap(({ name, receipts }) => wronglyMirrored(name, receipts, world.facts())),
  ).toEqual([]);
});

function isMade(one: Made | Night): one is Made {
  return 'field' in one;
}

async function wrongOf(steps: readonly Step[]): Promise<string[]> {
  return (await playedOut(steps)).wrong;
}

/** What is wrong in the end, and whether the process of that step died. */
async function playedOut(steps: readonly Step[], place?: number) {
  let died = false;
  const world = await createHeldWorld();
  await world.install();
  for (const [index, step] of steps.entries()) {
    const isDead = await world.play(step);
    if (index === place) died = isDead;
    if (index % STEPS_A_DAY === STEPS_A_DAY - 1) await world.night();
  }
  await world.night();
  const told = await world.told();
  const kind = (['store-events', 'webhook-deliveries'] as const)[steps.length % 2] ?? 'store-events';
  const luck = steps.at(-1)?.luck ?? 1;
  await world.uninstall({ kind, dies: { at: luck % 12, when: luck % 2 ? 'before' : 'after' }, luck });
  const all = world.receipts();
  const everything = all.flatMap(({ receipts }) => receipts);
  const wrong = [
    ...world.wrong,
    ...wronglyCharged(world.charges(), told),
    ...wronglyMade(world.contracts, told),
    ...all.flatMap(({ name, receipts }) => wronglySentCharges(name, receipts, told)),
    ...all.flatMap(({ name, receipts }) => wronglyAhead(name, receipts, world.ahead)),
    ...all.flatMap(({ name, receipts }) => [
      ...wronglyMirrored(name, receipts, world.facts()),
      ...world.replays
        .filter(({ url }) => url === name)
        .flatMap((asked) => wronglyReplayed(asked, receipts, everything)),
    ]),
    ...wronglyExternal(everything, world.history.filter(isMade)),
  ];
  return { wrong, died };
}
