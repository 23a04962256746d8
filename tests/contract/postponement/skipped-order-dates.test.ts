/** Skipped orders beside a postponement: the day that the customer sees, and what the timeline says of them. */
import { describe, expect, test } from '@jest/globals';
import { UNPUBLISHED_BEHAVIOURS } from '../../../sandbox/platform/state/unpublished-behaviour.ts';
import { externalOrderChanges } from './external-order-changes.ts';
import { createPostponementWorld, FIRST, ID, postpone } from './postponement-world.ts';

const MINUTE_MS = 60_000;
const skip = (index: number, value: boolean) =>
  `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${index}, skip: ${value}) {
    event { message } userErrors { code message } } }`;

describe.each(UNPUBLISHED_BEHAVIOURS.skippedDates)(
  'when the platform has the dates of skipped orders %s',
  (skippedDates) => {
    function createWorld() {
      const world = createPostponementWorld();
      Object.assign(world.platform.store().unpublished, { skippedDates });
      /** Sends the changes, and reads the contract at the platform after each if told so. */
      async function change(queries: readonly string[], isReadBetween: boolean): Promise<string[]> {
        await externalOrderChanges(world);
        for (const query of queries) {
          world.later(MINUTE_MS);
          const { payload } = await world.send('customer', query);
          expect(payload.userErrors).toEqual([]);
          world.later(MINUTE_MS);
          if (isReadBetween) await externalOrderChanges(world);
        }
        world.later(MINUTE_MS);
        return externalOrderChanges(world);
      }
      return { ...world, change };
    }

    test.each([true, false])('names no change from outside (read between: %s)', async (isReadBetween) => {
      const { change } = createWorld();
      const changes = [
        skip(6, true),
        postpone(FIRST, '2026-12-16'),
        skip(8, true),
        skip(8, false),
        skip(7, false),
      ];
      expect(await change(changes, isReadBetween)).toEqual([]);
    });
  },
);
