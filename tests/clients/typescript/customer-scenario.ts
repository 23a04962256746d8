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
  expect({ ...screen.subscriptions, errors }).toEqual(await subscriptions.list({ first: 2 }));
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
  const [method] = (await account.paymentMethods()).nodes;
  await account.sendPaymentMethodEmail({ paymentMethodId: method?.id ?? '' });
  // The e-mail goes out once in five minutes.
  await expect(account.sendPaymentMethodEmail({ paymentMethodId: method?.id ?? '' })).rejects.toMatchObject({
    ...{ code: 'USER_ERRORS', userErrors: [{ field: ['customerPaymentMethodId'] }] },
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
  expect([one.contract?.id, one.errors, one.lines.nodes.length > 0]).toEqual([contractId, [], true]);
  expect((await subscriptions.upcoming({ contractId, first: 3 })).nodes).toHaveLength(3);
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
  await expect(subscriptions.previewInterval(noPlan)).rejects.toMatchObject({ code: 'USER_ERRORS' });
  const delivery = { contractId, deliveryMethod: { shipping: SHIPPING } };
  const refusal = await subscriptions.previewDelivery(delivery).catch((error) => error);
  const [option] = (refusal as Client.ServiceError).deliveryOptions;
  const delivered = await subscriptions.previewDelivery({ ...delivery, optionCode: option?.code });
  expect(delivered.preview?.deliveryPrice).toMatchObject(option?.price ?? {});
  expect(await subscriptions.get({ contractId })).toEqual(before);
}

/** The next order two days later, and back. */
async function postponeAndRevert(
  { subscriptions }: Pick<Client.CustomerClient, 'subscriptions'>,
  contractId: string,
) {
  const { contract } = await subscriptions.get({ contractId });
  const { date: expectedDate = '' } = contract?.nextOrder ?? {};
  const to = new Date(Date.parse(expectedDate) + 48 * HOUR_MS).toISOString().slice(0, 10);
  const [postponed] = (await subscriptions.postpone({ contractId, expectedDate, to })).upcomingOrders;
  expect(Date.parse(postponed?.date ?? '')).toBeGreaterThan(Date.parse(expectedDate));
  const [reverted] = (await subscriptions.revertPostponement({ contractId })).upcomingOrders;
  expect(reverted?.date).toBe(expectedDate);
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
  expect(await subscriptions.skip(await order())).toMatchObject({ billingCycle: { skipped: true } });
  expect(await subscriptions.unskip(await order())).toMatchObject({ billingCycle: { skipped: false } });
  const { cycleIndex, expectedDate = '' } = await order();
  const billingDate = new Date(Date.parse(expectedDate) - HOUR_MS).toISOString();
  await subscriptions.reschedule({ contractId, cycleIndex, billingDate });
  await expect(subscriptions.sendNow({ contractId, expectedDate: billingDate })).rejects.toMatchObject({
    ...{ code: 'USER_ERRORS', userErrors: [{ code: 'SEND_NOW_NOT_OFFERED' }] },
  });
  await postponeAndRevert({ subscriptions }, contractId);
  await subscriptions.pause({ contractId, reason: 'On holiday' });
  expect(await subscriptions.resume({ contractId })).toMatchObject({ contract: { status: 'ACTIVE' } });
  const [line] = (await subscriptions.get({ contractId })).lines.nodes;
  await subscriptions.updateLines({ contractId, update: [{ lineId: line?.id ?? '', quantity: 3 }] });
  await expect(
    subscriptions.updateInterval({ contractId, interval: { interval: 'YEAR', intervalCount: 9 } }),
  ).rejects.toMatchObject({ code: 'USER_ERRORS' });
  const delivery = { contractId, deliveryMethod: { shipping: SHIPPING } };
  const refusal = await subscriptions.updateDelivery(delivery).catch((error) => error);
  const [option] = (refusal as Client.ServiceError).deliveryOptions;
  expect([refusal.code, option?.price.currencyCode]).toEqual(['USER_ERRORS', 'USD']);
  const chosen = await subscriptions.updateDelivery({ ...delivery, optionCode: option?.code });
  expect(chosen.contract?.id).toBe(contractId);
  const [method] = (await account.paymentMethods()).nodes;
  await subscriptions.updatePaymentMethod({ contractId, paymentMethodId: method?.id ?? '' });
  await subscriptions.applyDiscountCode({ contractId, redeemCode: 'WELCOME10' });
  const [discount] = (await subscriptions.get({ contractId })).contract?.discounts.nodes ?? [];
  await subscriptions.removeDiscount({ contractId, discountId: discount?.id ?? '' });
  const actions = [];
  for await (const { action } of subscriptions.events.all({ contractId, first: 3 })) actions.push(action);
  expect(actions).toHaveLength(11);
  expect(await subscriptions.cancel({ contractId, reason: { code: 'OTHER' } })).toMatchObject({
    contract: { status: 'CANCELLED' },
  });
}
