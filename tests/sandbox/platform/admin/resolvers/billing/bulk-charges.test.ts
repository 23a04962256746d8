import { describe, expect, test } from '@jest/globals';
import { dayMs, failed, type Json, monthly, newPlatform, paused, startMs, weekly } from '../../harness.ts';

describe('by cycle and in bulk', () => {
  test('a cycle is charged by its selector', async () => {
    const platform = newPlatform();
    const charge = (index: number) =>
      platform.run(
        `{ subscriptionBillingCycleCharge(subscriptionContractId: "${failed}", billingCycleSelector: { index: ${index} }, actor: MERCHANT) { subscriptionBillingAttempt { idempotencyKey } userErrors { field code } } }`,
      );
    expect((await charge(1)).userErrors).toEqual([{ field: ['billingCycleSelector'], code: 'INVALID' }]);
    expect((await charge(3)).userErrors).toMatchObject([
      { code: 'BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE' },
    ]);
    expect((await charge(2)).subscriptionBillingAttempt.idempotencyKey).toBeTruthy();
  });

  const bulk = (name: string, startDate: string, endDate: string, filters = '{}') =>
    `{ subscriptionBillingCycleBulk${name}(billingAttemptExpectedDateRange: { startDate: "${startDate}", endDate: "${endDate}" }, filters: ${filters}) { job { id done } userErrors { code } } }`;

  test.each([
    ['2026-11-20T00:00:00Z', '2026-11-19T00:00:00Z', 'START_DATE_BEFORE_END_DATE'],
    ['2026-11-20T00:00:00Z', '2027-11-19T00:00:00Z', 'END_DATE_IN_THE_FUTURE'],
    ['2026-11-01T00:00:00Z', '2026-11-08T00:00:01Z', 'INVALID_DATE_RANGE'],
  ])('%s to %s: %s', async (startDate, endDate, code) => {
    for (const name of ['Charge', 'Search']) {
      expect(await newPlatform().run(bulk(name, startDate, endDate))).toEqual({
        job: null,
        userErrors: [{ code }],
      });
    }
  });

  test.each(['Charge', 'Search'])('a range of bulk %s ends at most 24 hours ahead', async (name) => {
    const endingIn = async (ms: number) => {
      const end = new Date(startMs + ms).toISOString();
      return (await newPlatform().run(bulk(name, '2026-11-20T00:00:00Z', end))).userErrors;
    };
    expect(await endingIn(dayMs)).toEqual([]);
    expect(await endingIn(dayMs + 1000)).toEqual([{ code: 'END_DATE_IN_THE_FUTURE' }]);
  });

  test('a search finds, a charge charges what is due and unbilled', async () => {
    const platform = newPlatform();
    platform.holder.nowMs = Date.parse('2026-12-08T00:00:00Z');
    const weeks = [
      ['2026-11-24T00:00:00Z', '2026-12-01T00:00:00Z'],
      ['2026-12-01T00:00:00Z', '2026-12-08T00:00:00Z'],
    ] as const;
    const inEachWeek = async (name: string, filters?: string) => {
      const jobs = [];
      for (const [from, to] of weeks) jobs.push((await platform.run(bulk(name, from, to, filters))).job.id);
      return (await Promise.all(jobs.map(results))).flat();
    };
    const results = async (jobId: string) =>
      (
        await platform.data(
          `{ job(id: "${jobId}") { done } subscriptionBillingCycleBulkResults(jobId: "${jobId}", first: 250) { nodes { cycleIndex sourceContract { id } } } }`,
        )
      ).subscriptionBillingCycleBulkResults.nodes;
    const filters = '{ billingCycleStatus: [UNBILLED], contractStatus: [PAUSED] }';
    const found = await inEachWeek('Search', filters);
    expect(found.map(({ sourceContract }: Json) => sourceContract.id)).toContain(paused);
    const charged = (await inEachWeek('Charge')).map(
      ({ cycleIndex, sourceContract }: Json) => `${sourceContract.id} ${cycleIndex}`,
    );
    expect(charged).toEqual(expect.arrayContaining([`${weekly} 7`, `${weekly} 8`, `${monthly} 4`]));
    expect(charged.join()).not.toContain(paused);
    const { subscriptionContract } = await platform.data(
      `{ subscriptionContract(id: "${weekly}") { orders(first: 50) { nodes { id } } } }`,
    );
    // The checkout's, six of the seed, and two now.
    expect(subscriptionContract.orders.nodes).toHaveLength(9);
    expect(await inEachWeek('Charge')).toEqual([]);
  });
});
