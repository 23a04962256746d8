/** A customer's use of the installed package, function by function: steps of package.suite.ts. */
import { expect } from '@jest/globals';
import type * as Client from '../../../clients/typescript/src/client.ts';

const HOUR_MS = 3_600_000;
const SHIPPING = {
  address1: '1 Main Street',
  city: 'Bangor',
  countryCode: 'US',
  provinceCode: 'ME',
  zip: '04401',
} as const;

/** The first screen has in one request what three functions read. */
export async function readHome({ home, account, store, subscriptions }: Client.CustomerClient) {
  const screen = await home({ first: 2 });
  const { errors, ...profile } = await account.get();
  expect(screen).toMatchObject({ customer: profile, errors });
  expect({ ...screen.store, errors }).toEqual(await store());
  const storeTimeZone = screen.store?.storeTimeZone;
  expect({ ...screen.subscriptions, errors, storeTimeZone }).toEqual(await subscriptions.list({ first: 2 }));
}

/** The account: store, name, address, payment methods and their e-mail, which goes out once. */
export async function readAccount({ account, store }: Client.CustomerClient) {
  expect(await store()).toMatchObject({ storeTimeZone: 'America/New_York', errors: [] });
  expect(await account.get()).toMatchObject({ firstName: 'Carla' });
  const { nodes: addresses } = await account.addresses();
  const [{ id: addressId } = { id: '' }] = addresses;
  const address = {
    address1: '2 Quay Street',
    city: 'Bangor',
    countryCode: 'US',
    provinceCode: 'ME',
  } as const;
  const { address: changed } = await account.updateAddress({
    addressId,
    address: { ...address, zip: '04401' },
  });
  expect(changed).toMatchObject({ address1: '2 Quay Street' });
  const { address: added } = await account.addAddress({ address: { ...address, address1: '3 Quay Street' } });
  const { nodes: more } = await account.addresses();
  expect(more).toEqual([...addresses.map(() => expect.anything()), added]);
  const [method] = (await account.paymentMethods()).nodes;
  await account.sendPaymentMethodEmail({ paymentMethodId: method?.id ?? '' });
  // The e-mail goes out once in five minutes, and a card has no URL.
  await expect(account.startPaymentMethodUpdate({ paymentMethodId: method?.id ?? '' })).rejects.toMatchObject(
    { code: 'EMAIL_SENT_RECENTLY', change: 'startPaymentMethodUpdate', advice: 'retry' },
  );
  await expect(account.sendPaymentMethodEmail({ paymentMethodId: method?.id ?? '' })).rejects.toMatchObject({
    ...{ code: 'EMAIL_SENT_RECENTLY', change: 'sendPaymentMethodEmail', field: ['customerPaymentMethodId'] },
  });
}

/** The id of an active subscription, found over several pages. */
export async function findOne({ subscriptions }: Client.CustomerClient): Promise<string> {
  const { nodes, pageInfo, errors } = await subscriptions.list({ first: 2 });
  expect([nodes.length, pageInfo.hasNextPage, errors]).toEqual([2, true, []]);
  const found: string[] = [];
  for await (const { id, status, nextOrder } of subscriptions.all({ first: 3 })) {
    if (status === 'ACTIVE' && nextOrder) found.push(id);
    if (found.length === 4) break;
  }
  return found.at(-1) ?? '';
}

/** Reads everything of one unchanged subscription. */
export async function readOne({ subscriptions }: Client.CustomerClient, contractId: string) {
  const one = await subscriptions.get({ contractId });
  expect([one.id, one.errors, one.lines.nodes.length > 0]).toEqual([contractId, [], true]);
  expect(one.storeTimeZone).toBe('America/New_York');
  const { nodes: orders } = await subscriptions.upcoming({ contractId, first: 3 });
  const { deliveryMethod, deliveryPrice } = one;
  const lines = one.lines.nodes.map((line) => ({ ...line, kind: 'SUBSCRIPTION' }));
  const content = { deliveryMethod, deliveryPrice, isContentEdited: false, total: one.nextOrder?.total };
  expect(orders).toMatchObject([1, 2, 3].map(() => ({ ...content, lines: { nodes: lines } })));
  expect((await subscriptions.pastOrders({ contractId })).errors).toEqual([]);
  expect((await subscriptions.events({ contractId })).nodes).toEqual([]);
  expect((await subscriptions.intervalInfo({ contractId })).nodes.length).toBeGreaterThan(0);
  expect((await subscriptions.lineOptions({ contractId })).nodes.length).toBeGreaterThan(0);
}

/** Previews of one subscription, which change nothing. */
export async function previewOne({ subscriptions }: Client.CustomerClient, contractId: string) {
  const before = await subscriptions.get({ contractId });
  const [line] = before.lines.nodes;
  const update = [{ lineId: line?.id ?? '', quantity: 3 }];
  const lines = await subscriptions.previewLines({ contractId, update });
  expect(lines.preview?.lines).toMatchObject([{ quantity: 3 }]);
  const code = await subscriptions.previewDiscountCode({ contractId, redeemCode: 'WELCOME10' });
  expect(Number(code.preview?.total?.amount)).toBeGreaterThan(0);
  const noPlan = { contractId, interval: { interval: 'YEAR', intervalCount: 9 } } as const;
  await expect(subscriptions.previewInterval(noPlan)).rejects.toMatchObject({ code: 'INVALID' });
  const delivery = { contractId, deliveryMethod: { shipping: SHIPPING } };
  const refusal = await subscriptions.previewDelivery(delivery).catch((error) => error);
  const [option] = (refusal as Client.ServiceError).deliveryOptions;
  const delivered = await subscriptions.previewDelivery({ ...delivery, optionCode: option?.code });
  expect(delivered.preview?.deliveryPrice).toMatchObject(option?.price ?? {});
  expect(await subscriptions.get({ contractId })).toEqual(before);
}

type Subscriptions = Pick<Client.CustomerClient, 'subscriptions'>;
type Changed = Pick<
  Awaited<ReturnType<Client.CustomerClient['subscriptions']['pause']>>,
  'subscription' | 'event'
>;

/** Checks that a change returned what `get` and the timeline return after it. */
async function expectCurrent({ subscriptions }: Subscriptions, contractId: string, changed: Changed) {
  const { errors, storeTimeZone: _zone, ...subscription } = await subscriptions.get({ contractId });
  const { nodes } = await subscriptions.events({ contractId, first: 1 });
  expect([errors, changed.subscription, changed.event]).toEqual([[], subscription, nodes[0]]);
}

/** The next order two days later, and back. */
async function postponeAndRevert({ subscriptions }: Subscriptions, contractId: string) {
  const { nextOrder } = await subscriptions.get({ contractId });
  const { date: expectedDate = '' } = nextOrder ?? {};
  const to = new Date(Date.parse(expectedDate) + 48 * HOUR_MS).toISOString().slice(0, 10);
  const preview = await subscriptions.previewPostponement({ contractId, expectedDate, to });
  expect((await subscriptions.get({ contractId })).nextOrder).toEqual(nextOrder);
  const postponed = await subscriptions.postpone({ contractId, expectedDate, to });
  expect(postponed.upcomingOrders).toEqual(preview.upcomingOrders);
  expect(Date.parse(postponed.subscription?.nextOrder?.date ?? '')).toBeGreaterThan(Date.parse(expectedDate));
  await expectCurrent({ subscriptions }, contractId, postponed);
  const reverted = await subscriptions.revertPostponement({ contractId });
  expect(reverted.upcomingOrders[0]?.date).toBe(expectedDate);
  await expectCurrent({ subscriptions }, contractId, reverted);
}

/** Each change of one subscription, once; at last it is cancelled. */
export async function changeOne({ subscriptions, account }: Client.CustomerClient, contractId: string) {
  const order = async () => {
    const { nodes } = await subscriptions.upcoming({ contractId });
    const [, second] = nodes;
    return {
      contractId,
      cycleIndex: second?.cycleIndex ?? 0,
      expectedDate: second?.billingAttemptExpectedDate,
    };
  };
  const current = (changed: Changed) => expectCurrent({ subscriptions }, contractId, changed);
  const skipped = await subscriptions.skip(await order());
  expect(skipped).toMatchObject({
    billingCycle: { skipped: true },
    event: { action: 'billing_cycle_skipped' },
  });
  await current(skipped);
  await current(await subscriptions.unskip(await order()));
  const { cycleIndex, expectedDate = '' } = await order();
  const billingDate = new Date(Date.parse(expectedDate) - HOUR_MS).toISOString();
  await current(await subscriptions.reschedule({ contractId, cycleIndex, billingDate }));
  await expect(subscriptions.sendNow({ contractId, expectedDate: billingDate })).rejects.toMatchObject({
    ...{ code: 'SEND_NOW_NOT_OFFERED', change: 'sendNow', advice: 'reload' },
  });
  await postponeAndRevert({ subscriptions }, contractId);
  await current(await subscriptions.pause({ contractId, reason: 'On holiday' }));
  const resumed = await subscriptions.resume({ contractId });
  expect(resumed).toMatchObject({ subscription: { status: 'ACTIVE' } });
  await current(resumed);
  const [line] = (await subscriptions.get({ contractId })).lines.nodes;
  const update = [{ lineId: line?.id ?? '', quantity: 3 }];
  await current(await subscriptions.updateLines({ contractId, update }));
  // A repeated change has the subscription, but no entry.
  const { event, subscription } = await subscriptions.updateLines({ contractId, update });
  expect([event, subscription?.lines.nodes[0]?.quantity]).toEqual([null, 3]);
  await expect(
    subscriptions.updateInterval({ contractId, interval: { interval: 'YEAR', intervalCount: 9 } }),
  ).rejects.toMatchObject({ code: 'INVALID', advice: 'choose-another' });
  const delivery = { contractId, deliveryMethod: { shipping: SHIPPING } };
  const refusal = await subscriptions.updateDelivery(delivery).catch((error) => error);
  const [option] = (refusal as Client.ServiceError).deliveryOptions;
  expect([refusal.code, option?.price.currencyCode]).toEqual(['DELIVERY_OPTION_REQUIRED', 'USD']);
  const chosen = await subscriptions.updateDelivery({ ...delivery, optionCode: option?.code });
  await current(chosen);
  const [method] = (await account.paymentMethods()).nodes;
  await subscriptions.updatePaymentMethod({ contractId, paymentMethodId: method?.id ?? '' });
  const applied = await subscriptions.applyDiscountCode({ contractId, redeemCode: 'WELCOME10' });
  await current(applied);
  const [discount] = applied.subscription?.discounts.nodes ?? [];
  await current(await subscriptions.removeDiscount({ contractId, discountId: discount?.id ?? '' }));
  const actions = [];
  for await (const { action } of subscriptions.events.all({ contractId, first: 3 })) actions.push(action);
  expect(actions).toHaveLength(11);
  const cancelled = await subscriptions.cancel({ contractId, reason: { code: 'OTHER' } });
  expect(cancelled).toMatchObject({ subscription: { status: 'CANCELLED' } });
  await current(cancelled);
}
