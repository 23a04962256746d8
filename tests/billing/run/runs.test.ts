/** Runs as merchants see them: their counts, and what holds them. */
import { expect, test } from '@jest/globals';
import type { BillingRun } from '../../../lib/billing/records/run-record.ts';
import { runBilling } from '../../../lib/billing/run/run-billing.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import type { Answer, Description } from '../oracle/description.ts';
import { answers, at, describeExample, type Given } from '../oracle/examples/examples.ts';
import { findDisagreements } from './accept-description.ts';
import { CALM } from './fault-profile.ts';
import { simulate, type World } from './simulate.ts';

const DAY = '2027-01-05';

/** Describes a store with an order of each card on the day. */
function describeMany(cards: readonly (readonly Answer[])[], given: Given = {}): Description {
  const { contracts, ...store } = describeExample(given);
  const [contract] = contracts;
  if (contract === undefined) throw new Error('The example has no contract.');
  return { ...store, contracts: cards.map((card, id) => ({ ...contract, id, card: { answers: card } })) };
}

const createCards = (count: number, card: readonly Answer[]) => Array.from({ length: count }, () => card);
const refused = answers('MERCHANT_ACCOUNT_ERROR');

async function findRun({ service }: Pick<World, 'service'>, date = DAY): Promise<BillingRun | undefined> {
  return service.deps.runs.find(service.store().shopId, date);
}

test('counts a payment that came days after the run was done, and its amount', async () => {
  const description = describeExample({ answers: answers('INSUFFICIENT_FUNDS', 'PAYS') });
  let before: BillingRun | undefined;
  const simulation = await simulate(description, CALM, (world) =>
    world.agenda.add(at('2027-01-06T08:00Z'), async () => {
      before = await findRun(world);
    }),
  );
  expect(before).toMatchObject({ status: 'DONE', countByState: { RETRYING: 1 }, totals: [] });
  const after = await findRun(simulation);
  expect(after).toMatchObject({ status: 'DONE', doneAtMs: before?.doneAtMs, countByState: { CHARGED: 1 } });
  expect(after?.totals).toEqual([{ amount: '20.0', currencyCode: 'USD' }]);
});

test('counts an order that ended because billing was switched off after the run was done', async () => {
  const off = { kind: 'settings', atMs: at('2027-01-06T12:00Z'), settings: { enabled: false } } as const;
  const description = describeExample({ answers: answers('INSUFFICIENT_FUNDS'), changes: [off] });
  const simulation = await simulate(description, CALM);
  expect(await findRun(simulation)).toMatchObject({ status: 'DONE', countByState: { ENDED: 1 } });
});

test('counts no more when all orders of the run are charged', async () => {
  const simulation = await simulate(describeExample({}), CALM);
  const run = await findRun(simulation);
  expect(run).toMatchObject({ status: 'DONE', countByState: { CHARGED: 1 } });
  expect(run?.countedAtMs).toBe(run?.doneAtMs);
});

test.each([
  ['holds the next run when the merchant’s account refused ten orders in a row', createCards(10, refused)],
  ['holds a run after nine orders only when their retries were refused, too', createCards(9, refused)],
  [
    'holds no run when ten orders were refused, with a payment between them',
    [
      ...createCards(5, refused),
      [{ outcome: 'PAYS', seconds: 50 }],
      ...createCards(5, refused.map(endLater)),
    ],
  ],
])('%s', async (_name, cards) => {
  const { faults } = await findDisagreements(describeMany(cards), CALM);
  expect(faults).toEqual([]);
});

function endLater(answer: Answer): Answer {
  return { ...answer, seconds: 100 };
}

/** So many orders that the run is still charging when the account has refused ten. */
const REFUSED_CARDS = [
  ...createCards(60, answers('MERCHANT_ACCOUNT_ERROR', 'PAYS')),
  ...createCards(65, answers('PAYS')),
];

/** Simulates a day on which the points suffice for some orders in a minute. Returns the run at 14 o'clock, and at the end. */
async function simulateRunOnHold(description: Description) {
  let onHold: BillingRun | undefined;
  const simulation = await simulate(description, CALM, (world) => {
    const scarce = { maximumAvailable: 800, restoreRate: 5 };
    world.agenda.add(
      at('2027-01-05T10:00Z'),
      () => void Object.assign(world.emulated.state.throttle, scarce),
    );
    world.agenda.add(at('2027-01-05T14:00Z'), async () => {
      onHold = await findRun(world);
    });
  });
  return { onHold, atEnd: await findRun(simulation) };
}

test('holds the run itself while it charges, and goes on where it stood when it is confirmed', async () => {
  const confirm = { kind: 'confirm', day: DAY, atMs: at('2027-01-05T15:00Z') } as const;
  const description = describeMany(REFUSED_CARDS, { changes: [confirm], until: '2027-01-05T18:00Z' });
  const { onHold, atEnd } = await simulateRunOnHold(description);
  expect(onHold).toMatchObject({ status: 'ON_HOLD', holdReason: 'MERCHANT_ACCOUNT_REFUSES' });
  expect(onHold?.countByState).toMatchObject({ DUE: 65 });
  expect(atEnd).toMatchObject({
    ...{ status: 'DONE', countByState: { RETRYING: 60, CHARGED: 65 } },
  });
});

test('ends the hold of a run when billing is switched off', async () => {
  const off = { kind: 'settings', atMs: at('2027-01-05T15:00Z'), settings: { enabled: false } } as const;
  const description = describeMany(REFUSED_CARDS, { changes: [off], until: '2027-01-05T18:00Z' });
  const { onHold, atEnd } = await simulateRunOnHold(description);
  expect(onHold).toMatchObject({ status: 'ON_HOLD', holdReason: 'MERCHANT_ACCOUNT_REFUSES' });
  expect(atEnd).toMatchObject({ status: 'DONE', countByState: { ENDED: 125 } });
  expect(atEnd).not.toHaveProperty('holdReason');
});

test('does not work without a break while the points do not suffice before the worker ends', async () => {
  const atMs = at('2027-01-05T10:45Z');
  let runBefore: BillingRun | undefined;
  let waitMs = 0;
  const description = describeMany(createCards(125, answers('PAYS')), { until: '2027-01-05T11:00Z' });
  await simulate(description, CALM, (world) => {
    const { agenda, emulated, service } = world;
    const scarce = { maximumAvailable: 800, restoreRate: 1 };
    agenda.add(at('2027-01-05T10:00Z'), () => void Object.assign(emulated.state.throttle, scarce));
    agenda.add(atMs, async () => {
      runBefore = await findRun(world);
      const { shopId } = service.store();
      const deps = {
        ...service.deps,
        reportHold: async () => undefined,
        reservePoints: async () => undefined,
      };
      waitMs = ((await runBilling(deps, { shopId, endAtMs: atMs + 60_000 })) ?? 0) - atMs;
    });
  });
  expect(runBefore?.status).toBe('CHARGING');
  expect(waitMs).toBe(1_000);
});

/** Returns how many requests make attempts at the same instant, in the order of time. */
async function countConcurrentRequests(description: Description): Promise<number[]> {
  const counts = new Map<number, number>();
  const slow = { ...CALM, requestMs: () => 1_000 };
  await simulate(description, slow, ({ emulated }) => {
    const { send, state, platform } = emulated;
    Object.assign(state.throttle, { maximumAvailable: 100_000, restoreRate: 5_000 });
    emulated.send = (body) => {
      const { nowMs } = platform.holder;
      if (body.includes('subscriptionBillingAttemptCreate')) counts.set(nowMs, (counts.get(nowMs) ?? 0) + 1);
      return send(body);
    };
  });
  return [...counts.values()];
}

test('makes half as many requests at once for a minute after the platform was throttled', async () => {
  const { contracts, ...store } = describeMany(createCards(180, answers('PAYS')), {
    until: '2027-01-05T12:00Z',
  });
  expect(await countConcurrentRequests({ ...store, contracts })).toEqual([6, 6, 6]);
  const [first, ...others] = contracts;
  if (first === undefined) throw new Error('The store has no contract.');
  const throttled = { fromMs: 0, untilMs: at('2027-01-05T10:05Z'), code: 'THROTTLED' };
  const refusing = { ...store, contracts: [{ ...first, refusals: [throttled] }, ...others] };
  // The last one makes the attempt that was refused.
  expect(await countConcurrentRequests(refusing)).toEqual([6, 3, 3, 3, 3, 1]);
});

test('does not read an order while a charge by hand has claimed its contract', async () => {
  const simulation = await simulate(describeExample({}), CALM, ({ agenda, emulated, service }) => {
    agenda.add(at('2027-01-05T10:00:55Z'), async () => {
      const contractNumber = String(emulated.contracts[0]?.record.id) as ContractNumber;
      const ref = { shopId: service.store().shopId, contractNumber };
      const readAtMs = service.deps.now();
      await service.deps.chargeClaims.claim(ref, { idempotencyKey: 'by-hand', readAtMs });
    });
  });
  const [contract] = simulation.emulated.contracts;
  const attempts = contract && simulation.emulated.attemptsOfService(contract.record);
  expect(attempts?.map(({ createdAt }) => createdAt)).toEqual(['2027-01-05T10:02:00Z']);
});
