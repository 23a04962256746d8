/** A customer makes one change after another, and retries each after its Retry-After: each retry is accepted. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { askOnce, signIn, type Tokens } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

const CONTRACT = 'gid://platform/SubscriptionContract/9101001';
const DAY_MS = 86_400_000;
const ERRORS = 'userErrors { code message }';
const PAUSE = `mutation ($id: ID!) { subscriptionContractPause(subscriptionContractId: $id) { ${ERRORS} } }`;
const RESUME = `mutation ($id: ID!, $date: DateTime) {
  subscriptionContractActivate(subscriptionContractId: $id, nextBillingDate: $date) { ${ERRORS} }
}`;
const INTERVAL = `mutation ($id: ID!, $count: Int!) {
  subscriptionContractIntervalUpdate(contractId: $id, interval: { interval: WEEK, intervalCount: $count }) { ${ERRORS} }
}`;
/** A cycle after the date to which the first test moves the next order: those before it are postponed. */
const SKIP = `mutation ($id: ID!, $skip: Boolean!) {
  subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: 20, skip: $skip) { ${ERRORS} }
}`;
/** The Retry-After seconds of each change before it was accepted. */
type Times = number[][];

describe('a customer who waits as told', () => {
  let ada: Tokens;
  beforeAll(async () => {
    // Few points return while the changes take their time, so that the share is used up on a busy machine, too.
    await stack.control.throttle(stack.shop, { maximumAvailable: 2000, restoreRate: 4 });
  });
  beforeEach(async () => {
    await stack.control.clock({ advance: 600 });
    ada = await signIn(stack, 'ada@example.com');
  });

  const change = (query: string, variables: object) =>
    askOnce(stack, 'customer', {
      bearer: ada.accessToken,
      query,
      variables: { id: CONTRACT, ...variables },
    });

  async function changeInTurn(query: string, all: readonly object[]): Promise<Times> {
    const reported: Times = [];
    for (const variables of all) {
      const seconds: number[] = [];
      reported.push(seconds);
      for (let tries = 0; tries < 5; tries++) {
        const { status, headers, text } = await change(query, variables);
        if (status !== 429) {
          expect([status, text]).toEqual([200, expect.stringContaining('"userErrors":[]')]);
          break;
        }
        seconds.push(Number(headers.get('retry-after')));
        await stack.control.clock({ advance: seconds.at(-1) ?? 0 });
      }
    }
    return reported;
  }

  /** Checks that no change is refused twice, and that some are refused once, because the share is used up. */
  function expectTrue(reported: Times): void {
    expect(reported.filter(({ length }) => length > 1)).toEqual([]);
    expect(reported.slice(-5).flat()).not.toEqual([]);
  }

  test('is let in, however dear its changes are', async () => {
    const date = new Date(Date.parse(await stack.control.now()) + 51 * DAY_MS).toISOString();
    await changeInTurn(PAUSE, [{}]);
    await changeInTurn(RESUME, [{ date }]);
    await stack.control.clock({ advance: 120 });
    const counts = Array.from({ length: 16 }, (_, index) => ({ count: 2 - (index % 2) }));
    const reported = await changeInTurn(INTERVAL, counts);
    expectTrue(reported);
  });

  test('is let in, however cheap its changes are', async () => {
    const skips = Array.from({ length: 100 }, (_, index) => ({ skip: index % 2 === 0 }));
    const reported = await changeInTurn(SKIP, skips);
    expectTrue(reported);
  });
});
