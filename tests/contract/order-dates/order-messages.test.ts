/** What the timeline says of single orders. */
import { expect, test } from '@jest/globals';
import { externalOrderChanges } from '../postponement/external-order-changes.ts';
import { createPostponementWorld, FIRST, ID, sendNow } from '../postponement/postponement-world.ts';

const EVENTS = `{ subscriptionContract(id: "${ID}") { events(first: 10, reverse: true) { nodes { message } } } }`;

async function messagesOf({ send }: ReturnType<typeof createPostponementWorld>): Promise<string[]> {
  const { payload } = await send('customer', EVENTS);
  return (payload.events.nodes as { message: string }[]).map(({ message }) => message);
}

test('an order that another app skips and restores is named by its day', async () => {
  const world = createPostponementWorld();
  await externalOrderChanges(world);
  for (const skipped of [true, false]) {
    world.contract.cycleEdits[5] = { skipped, billingDate: null, contract: null };
    world.later(60_000);
    await externalOrderChanges(world);
  }
  expect((await messagesOf(world)).slice(0, 2)).toEqual([
    'Someone outside this service restored the order for January 9, 2027.',
    'Someone outside this service skipped the order for January 9, 2027.',
  ]);
});

test('an order that is sent now is not told of as moved to today', async () => {
  const world = createPostponementWorld({ sendNow: 'MOVE' });
  await world.send('customer', sendNow(FIRST));
  await world.place();
  expect((await messagesOf(world))[0]).toBe('You chose to send the order for December 9, 2026 now.');
});
