/** The attempts that the oracle expects are accepted by the emulated platform, and lead to the same orders there. */
import { expect, test } from '@jest/globals';
import { propertyRuns } from '../../../full-size.ts';
import type { Card, ContractDescription, Description, StoreChange } from '../description.ts';
import { expectCharges } from '../expect-charges.ts';
import type { OrderExpectation } from '../expectation.ts';
import { generateDescription } from './generate-description.ts';
import { replayContract } from './replay.ts';

const PACE_MS = 10 * 60_000;
const { numRuns, seed: firstSeed } = propertyRuns(5_000);

/** Without final actions of the service, confirmations by customers, and refusals: the replay does not make them. */
function simplify(description: Description): Description {
  const changes = description.store.changes.map((change): StoreChange => {
    if (change.kind !== 'settings') return change;
    const { declined, outOfStock, ...settings } = change.settings;
    const leave = { finalAction: 'LEAVE' as const };
    return {
      ...change,
      settings: {
        ...settings,
        declined: { retryAfterDays: [3, 4, 7], ...declined, ...leave },
        outOfStock: { retryAfterDays: [1, 1, 1, 1], ...outOfStock, ...leave },
      },
    };
  });
  const contracts = description.contracts.map(simplifyContract);
  return { ...description, store: { ...description.store, changes }, contracts };
}

function simplifyContract({ events, card, ...contract }: ContractDescription): ContractDescription {
  return {
    ...{ ...contract, maxCycles: null, refusesPrice: false, refusals: [], card: simplifyCard(card) },
    events: events.map((event) =>
      event.kind === 'card' ? { ...event, card: simplifyCard(event.card) } : event,
    ),
  };
}

function simplifyCard({ answers }: Card): Card {
  return { answers: answers.map(({ outcome, seconds }) => ({ outcome, seconds: Math.min(seconds, 300) })) };
}

test('the emulated platform accepts each expected attempt, and its orders are as expected', async () => {
  for (let run = 0; run < numRuns; run += 1) {
    const seed = firstSeed + run;
    const description = simplify(generateDescription({ seed, contractCount: 6, days: 60 }));
    const { store, contracts, untilMs } = description;
    const expectation = expectCharges(description, PACE_MS);
    for (const [at, contract] of contracts.entries()) {
      const expected = expectation.contracts[at];
      if (expected === undefined) throw new Error('A contract has no expectation.');
      const replayed = await replayContract({ store, contract, expected, untilMs, paceMs: PACE_MS });
      const orders = expected.orders.map((order, place) => describeOrder(order, replayed.orders[place]));
      expect({ seed, id: contract.id, ...replayed }).toEqual({
        ...{ seed, id: contract.id, refused: [], status: expected.status, orders },
      });
    }
  }
});

type Replayed = Awaited<ReturnType<typeof replayContract>>['orders'][number];

function describeOrder({ index, state, reason, tries }: OrderExpectation, replayed: Replayed | undefined) {
  const codes = tries.filter(({ by }) => by === 'SERVICE').map(({ outcome }) => outcome);
  // Such an order may be paid or not: the payment of the job was for another one.
  const isBilled = state === 'CHARGED' || reason === 'BILLED_BY_OTHERS';
  return { index, isBilled: reason === 'PAID_ELSEWHERE' ? replayed?.isBilled : isBilled, codes };
}
