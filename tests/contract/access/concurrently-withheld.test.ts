/**
 * A store that withdraws an access during a request, and grants it again: the change is made or not made, and an
 * unfinished change is reported as uncertain and settled later.
 */
import { describe, expect, test } from '@jest/globals';
import { createAccessWithout, type WithheldAccess } from '../../../sandbox/platform/state/store-access.ts';
import { examples, prepare } from '../../docs/operations-page.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createStoreWorld, HOUR_MS, MINUTE_MS, WEEKLY } from '../../world/store-world.ts';
import { createWithheldWorld, nameOf } from './withheld-world.ts';

const TAKEN: readonly WithheldAccess[] = [
  { scopes: ['write_own_subscription_contracts'] },
  { scopes: ['read_own_subscription_contracts', 'write_own_subscription_contracts'] },
  { data: ['customer'] },
];

describe('an access that goes between two requests of one change', () => {
  test.each(examples)('$name', async ({ name, as, query }) => {
    const world = createWithheldWorld((given) => prepare(given, name));
    const before = world.facts();
    const undone = world.undoing();
    const whole = await undone(async () => ({
      answer: await world.run({ as, query }),
      facts: world.facts(),
    }));
    expect(whole.answer.codes).toEqual([]);
    for (const withheld of TAKEN) {
      for (let at = 2; at <= whole.answer.requests; at++) {
        const { answer, facts } = await undone(async () => {
          const take = (number: number) => void (number === at && world.withhold(withheld));
          return { answer: await world.run({ as, query }, take), facts: world.facts() };
        });
        const isDone = facts === whole.facts;
        const state = facts === before ? 'as before' : isDone ? 'done' : 'begun';
        const ends = answer.recorded.map(({ outcome }) => outcome);
        expect({ without: nameOf(withheld), at, state, codes: answer.codes, ends }).toEqual({
          without: nameOf(withheld),
          at,
          state,
          ...expected(state, answer.codes, ends),
        });
        expect(answer.isRetryable).toBe(false);
      }
    }
  });
});

/** Returns the allowed codes and outcomes of each state; for a state that allows any, the actual ones. */
function expected(state: string, codes: readonly unknown[], ends: readonly string[]) {
  if (state === 'as before') return { codes: ['STORE_ACCESS_MISSING'], ends: ends.map(() => 'not done') };
  if (state === 'begun') return { codes: ['OUTCOME_UNKNOWN'], ends: ['open'] };
  const isUnknown = codes.includes('OUTCOME_UNKNOWN');
  const missing = codes.map(() => 'STORE_ACCESS_MISSING');
  return isUnknown ? { codes: ['OUTCOME_UNKNOWN'], ends: ['open'] } : { codes: missing, ends: ['done'] };
}

describe('scheduled work of a store that has taken an access back', () => {
  const DAY_MS = 24 * HOUR_MS;
  const begin = () => createStoreWorld(createMemoryTable());
  type World = ReturnType<typeof begin>;
  const withhold = ({ platform }: World, withheld: WithheldAccess) => {
    platform.store().access = createAccessWithout(withheld);
  };
  const open = async (world: World, kind: 'intent' | 'charge' | 'pause') => {
    const items: unknown[] = [];
    for await (const item of world.process().deps.scheduledTasks.listDue(kind, world.now() + 400 * DAY_MS))
      items.push(item);
    return items.length;
  };

  test('a pause waits for the scope, with nothing open, and ends when it returns', async () => {
    const world = begin();
    await world.paused(WEEKLY, world.now() + HOUR_MS);
    world.later(2 * HOUR_MS);
    withhold(world, { scopes: ['write_own_subscription_contracts'] });
    for (let runs = 0; runs < 3; runs++) {
      expect(await world.work()).toBe(0);
      expect([await open(world, 'intent'), world.status()]).toEqual([0, 'PAUSED']);
      world.later(15 * MINUTE_MS);
    }
    withhold(world, {});
    expect([await world.work(), world.status()]).toEqual([1, 'ACTIVE']);
    expect(await world.timeline()).toEqual(['SERVICE subscription_resumed, no end any more']);
  });

  test.each([
    ['settled when the scope returns', 1, []],
    ['told as unknown after a week', 8, ['CUSTOMER subscription_paused']],
  ])('a change whose answer was lost is %s', async (_how, days, scenario) => {
    const world = begin();
    world.fail({ kind: 'lost before', at: 'subscriptionContractPause' });
    await world.ask('customer', 'subscriptionContractPause(ID)');
    expect(await open(world, 'intent')).toBe(1);
    withhold(world, { scopes: ['read_own_subscription_contracts', 'write_own_subscription_contracts'] });
    for (let day = 0; day < days; day++) {
      world.later(DAY_MS);
      await world.work();
    }
    withhold(world, days > 7 ? { data: ['customer'] } : {});
    await world.work();
    expect([await open(world, 'intent'), await world.timeline()]).toEqual([0, scenario]);
  });

  test('records a charge whose end cannot be read as unknown after a week, and its end when the access returns', async () => {
    const world = begin();
    world.platform.store().chargeDelaySeconds = 3600;
    prepare(world, 'subscriptionBillingCycleCharge');
    const charge = examples.find(({ name }) => name === 'subscriptionBillingCycleCharge')?.query ?? '';
    const { code } = await world.send('store', charge);
    expect([code, await open(world, 'charge')]).toEqual([undefined, 1]);
    withhold(world, { scopes: ['read_own_subscription_contracts', 'write_own_subscription_contracts'] });
    for (let day = 0; day < 8; day++) {
      world.later(DAY_MS);
      await world.work();
    }
    // It stays open, and is read once a day.
    expect(await open(world, 'charge')).toBe(1);
    expect(await world.timeline()).toEqual(['MERCHANT billing_cycle_charged']);
    withhold(world, {});
    world.later(DAY_MS);
    await world.work();
    expect(await open(world, 'charge')).toBe(0);
    expect(await world.timeline()).toEqual(['MERCHANT billing_cycle_charged']);
  });
});
