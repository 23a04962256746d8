/** Bulk search and bulk charge as jobs: they take time, are lost after a while, and list cycles as they are. */
import { describe, expect, test } from '@jest/globals';
import { UNPUBLISHED_BEHAVIOURS } from '../../../../../../sandbox/platform/state/unpublished-behaviour.ts';
import { dayMs, type Json, newPlatform, type Platform, startMs, weekly } from '../../harness.ts';

/** The weekly contract's seventh order is due within 24 hours after this time. */
const SEARCHED_AT_MS = Date.parse('2026-11-24T09:00:00Z');
const RANGE = `{ startDate: "2026-11-20T00:00:00Z", endDate: "2026-11-25T08:30:00Z" }`;

function begin(settings: object = {}): Platform {
  const platform = newPlatform();
  platform.holder.nowMs = SEARCHED_AT_MS;
  Object.assign(platform.store(), settings);
  return platform;
}

async function search(platform: Platform, name: 'Charge' | 'Search' = 'Search'): Promise<Json> {
  const payload = await platform.run(
    `{ subscriptionBillingCycleBulk${name}(billingAttemptExpectedDateRange: ${RANGE}) { job { id done } userErrors { code } } }`,
  );
  expect(payload.userErrors).toEqual([]);
  return payload.job;
}

const results = (jobId: string) =>
  `subscriptionBillingCycleBulkResults(jobId: "${jobId}", first: 50) { nodes { cycleIndex skipped status sourceContract { id } } }`;

async function read(platform: Platform, { id }: Json) {
  const data = await platform.data(`{ job(id: "${id}") { done } ${results(id)} }`);
  const { nodes } = data.subscriptionBillingCycleBulkResults;
  return { done: data.job?.done, nodes: nodes.filter((node: Json) => node.sourceContract.id === weekly) };
}

const order = (more: object = {}) => [
  { cycleIndex: 7, skipped: false, status: 'UNBILLED', sourceContract: { id: weekly }, ...more },
];

const edit = (platform: Platform, name: 'Skip' | 'Unskip') =>
  platform.run(
    `{ subscriptionBillingCycle${name}(billingCycleInput: { contractId: "${weekly}", selector: { index: 7 } }) { userErrors { message } } }`,
  );

test('a search finds an order that is due within the next 24 hours', async () => {
  const platform = begin();
  expect(await read(platform, await search(platform))).toEqual({ done: true, nodes: order() });
});

test('a job is done, and has results, only after the time that the store’s jobs take', async () => {
  const platform = begin({ jobSeconds: 90 });
  const job = await search(platform);
  expect(job.done).toBe(false);
  platform.holder.nowMs += 89_000;
  expect(await read(platform, job)).toEqual({ done: false, nodes: [] });
  platform.holder.nowMs += 1000;
  expect(await read(platform, job)).toEqual({ done: true, nodes: order() });
});

describe('a job that the platform has lost', () => {
  test.each(UNPUBLISHED_BEHAVIOURS.lostJobs)('is null, and its results are %s', async (lostJobs) => {
    const platform = begin({ jobLifetimeSeconds: 3600 });
    platform.store().unpublished.lostJobs = lostJobs;
    const job = await search(platform);
    platform.holder.nowMs += 3_599_000;
    expect((await read(platform, job)).nodes).toEqual(order());
    platform.holder.nowMs += 1000;
    expect(await platform.data(`{ job(id: "${job.id}") { done } }`)).toEqual({ job: null });
    const { data, errors } = await platform.ask(`{ ${results(job.id)} }`);
    if (lostJobs === 'empty') expect(data.subscriptionBillingCycleBulkResults.nodes).toEqual([]);
    else expect(errors).toMatchObject([{ extensions: { code: 'RESOURCE_NOT_FOUND' } }]);
  });
});

describe('the results of a search', () => {
  test('have skipped orders, too', async () => {
    const platform = begin();
    expect((await edit(platform, 'Skip')).userErrors).toEqual([]);
    expect((await read(platform, await search(platform))).nodes).toEqual(order({ skipped: true }));
  });

  test('are the orders as they are when they are read', async () => {
    const platform = begin();
    const job = await search(platform);
    await edit(platform, 'Skip');
    expect((await read(platform, job)).nodes).toEqual(order({ skipped: true }));
    await edit(platform, 'Unskip');
    const charge = await search(platform, 'Charge');
    platform.holder.nowMs = startMs + 5 * dayMs;
    expect((await read(platform, charge)).nodes).toEqual(order({ status: 'BILLED' }));
    expect((await read(platform, job)).nodes).toEqual(order({ status: 'BILLED' }));
  });
});

test('a bulk charge leaves out skipped orders', async () => {
  const platform = begin();
  await edit(platform, 'Skip');
  expect((await read(platform, await search(platform, 'Charge'))).nodes).toEqual([]);
});
