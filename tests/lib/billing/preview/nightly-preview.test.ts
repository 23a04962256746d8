/** What the nightly reconciliation prepares for a store that the service bills: previews, and next billing dates. */
import { expect, test } from '@jest/globals';
import { createBillingPreviews } from '../../../../lib/billing/preview/previews.ts';
import { createBillingSettings } from '../../../../lib/billing/records/settings.ts';
import { createEventsWorld, type EventsWorld } from '../../store-events/events-world.ts';

const DAY_MS = 86_400_000;
/** The contract's orders are due each Wednesday at 8 o'clock: its next one is that of 2026-11-25, index 7. */
const NEXT = '7';

async function createBilledStore(change: { readonly enabled?: boolean; readonly startsOn?: string } = {}) {
  const events = createEventsWorld();
  const previews = createBillingPreviews({ table: events.base });
  const { shopId } = events.installed;
  const settings = createBillingSettings({ table: events.base, now: events.nowMs });
  const setBilling = async (enabled: boolean) => {
    const before = await settings.read(shopId);
    await settings.write(shopId, before, { ...before, startsOn: '2026-11-21', ...change, enabled });
  };
  await setBilling(change.enabled ?? true);
  const counts = async (date: string) => (await previews.find(shopId, date))?.orderCount;
  const entries = (date: string) => previews.listEntries(shopId, date, { limit: 10 });
  return { ...events, setBilling, find: (date: string) => previews.find(shopId, date), counts, entries };
}

/** The next order is skipped outside the service. */
function skipNext({ contract }: Pick<EventsWorld, 'contract'>): void {
  contract.cycleEdits[NEXT] = { skipped: true, billingDate: null, contract: null };
}

async function listReportedFields(store: Pick<EventsWorld, 'foreign'>): Promise<string[]> {
  return (await store.foreign()).flatMap(({ changes }) => changes.map(({ field }) => field));
}

const nextDay = ({ later }: Pick<EventsWorld, 'later'>) => later(DAY_MS);

test('counts the orders of the next 14 days with their totals', async () => {
  const store = await createBilledStore();
  await store.pass();
  const total = { amount: '16.8', currencyCode: 'USD' };
  const order = { orderCount: 1, totals: [total], preparedAtMs: store.nowMs() };
  expect(await store.find('2026-11-25')).toMatchObject(order);
  expect(await store.find('2026-12-02')).toMatchObject(order);
  expect(await store.find('2026-11-26')).toMatchObject({ orderCount: 0, totals: [] });
  expect(await store.find('2026-12-06')).toBeUndefined();
});

test('counts the orders that are left of its own day if no night before has counted it', async () => {
  const store = await createBilledStore({ enabled: false });
  for (let day = 21; day < 24; day += 1) nextDay(store);
  await store.setBilling(true);
  store.later(DAY_MS / 2 + 3 * 3_600_000);
  await store.pass();
  expect(await store.counts('2026-11-25')).toBe(1);
  expect(await store.entries('2026-11-25')).toHaveLength(1);
});

test('lists the orders of the next day with their amounts', async () => {
  const store = await createBilledStore();
  for (let day = 21; day <= 24; day += 1) {
    expect(await store.entries('2026-11-25')).toEqual([]);
    await store.pass();
    nextDay(store);
  }
  const [entry, ...others] = await store.entries('2026-11-25');
  const expectedAtMs = Date.parse('2026-11-25T08:00:00Z');
  const order = { contractNumber: '9101001', cycleIndex: 7, expectedAtMs, warnings: [] };
  expect(entry).toMatchObject({ ...order, amount: { amount: '16.8', currencyCode: 'USD' } });
  expect(others).toEqual([]);
});

test('warns of a payment method that is revoked, and of an edited order, whose amount is unknown', async () => {
  const store = await createBilledStore();
  nextDay(store);
  nextDay(store);
  nextDay(store);
  const method = store.world.platform
    .store()
    .paymentMethods.get(store.contract.content.paymentMethodId ?? '');
  if (method === undefined) throw new Error('The seed has a method.');
  method.revokedAt = '2026-11-24T00:00:00Z';
  const { content } = store.contract;
  const editedAt = '2026-11-24T00:00:00Z';
  const times = { createdAt: editedAt, updatedAt: editedAt };
  const edited = { content: structuredClone(content), concatenated: [], ...times };
  store.contract.cycleEdits[NEXT] = { skipped: false, billingDate: null, contract: edited };
  await store.pass();
  const [entry] = await store.entries('2026-11-25');
  expect(entry?.warnings).toEqual(['METHOD_MISSING', 'ORDER_EDITED']);
  expect(entry?.amount).toBeUndefined();
  expect(await store.find('2026-11-25')).toMatchObject({ orderCount: 1, totals: [] });
});

test('counts neither skipped orders nor those of a paused contract', async () => {
  const store = await createBilledStore();
  skipNext(store);
  await store.pass();
  expect([await store.counts('2026-11-25'), await store.counts('2026-12-02')]).toEqual([0, 1]);
  store.changeExternally('status', 'PAUSED');
  nextDay(store);
  await store.pass();
  expect(await store.counts('2026-12-02')).toBe(0);
});

test('counts no day before the first one that the service bills', async () => {
  const store = await createBilledStore({ startsOn: '2026-11-26' });
  await store.pass();
  expect([await store.counts('2026-11-25'), await store.counts('2026-12-02')]).toEqual([undefined, 1]);
});

test('writes no preview from a reconciliation that began before billing was switched on', async () => {
  const store = await createBilledStore({ enabled: false });
  await store.pass();
  await store.setBilling(true);
  await store.pass();
  expect(await store.find('2026-11-25')).toBeUndefined();
});

test('sets the next billing date to the first order ahead that is not skipped, and reports no change', async () => {
  const store = await createBilledStore();
  await store.pass();
  skipNext(store);
  nextDay(store);
  await store.pass();
  expect(store.value('nextBillingDate')).toBe('2026-12-02T08:00:00Z');
  nextDay(store);
  await store.pass();
  expect(await listReportedFields(store)).toEqual([`billingCycles.${NEXT}.skipped`]);
});

test('reports later changes of the date by others, but not its own, after billing was switched off', async () => {
  const store = await createBilledStore();
  await store.pass();
  skipNext(store);
  nextDay(store);
  await store.pass();
  await store.setBilling(false);
  nextDay(store);
  await store.pass();
  expect(await listReportedFields(store)).toEqual([`billingCycles.${NEXT}.skipped`]);
  store.changeExternally('nextBillingDate', '2026-12-09T08:00:00Z');
  nextDay(store);
  await store.pass();
  const last = (await store.foreign()).at(-1);
  expect(last?.changes).toMatchObject([{ field: 'nextBillingDate', before: '2026-12-02T08:00:00Z' }]);
});

test('leaves the date of a contract that the service is changing', async () => {
  const store = await createBilledStore();
  await store.pass();
  store.changeExternally('nextBillingDate', '2026-12-09T08:00:00Z');
  nextDay(store);
  await store.begin('note', 'a note');
  await store.pass();
  expect(store.value('nextBillingDate')).toBe('2026-12-09T08:00:00Z');
});

test('changes no date of a store that the service does not bill', async () => {
  const store = await createBilledStore({ enabled: false });
  await store.pass();
  store.changeExternally('nextBillingDate', '2026-12-09T08:00:00Z');
  nextDay(store);
  await store.pass();
  expect(store.value('nextBillingDate')).toBe('2026-12-09T08:00:00Z');
  expect(await store.find('2026-11-25')).toBeUndefined();
});
