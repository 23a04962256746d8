/** Changing where and how a contract is delivered: the offers are the store's, and so are their prices. */
import { describe, expect, test } from '@jest/globals';
import type { DeliveryRate } from '../../../../sandbox/platform/state/catalogue-records.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { createAccessWithout } from '../../../../sandbox/platform/state/store-access.ts';
import { discountByHand } from '../../../contract/world/discount-by-hand.ts';
import { describeOperation } from '../../../contract/world/operation-cases.ts';
import {
  type Acting,
  createOperationWorld,
  gid,
  type OperationWorld,
} from '../../../contract/world/operation-world.ts';

const QUERY = `mutation ($contractId: ID!, $to: SubscriptionDeliveryAddressInput!, $option: String) {
  subscriptionContractDeliveryUpdate(contractId: $contractId, deliveryMethod: $to, optionCode: $option) {
    contract {
      deliveryPrice { amount currencyCode }
      deliveryMethod {
        ... on SubscriptionDeliveryMethodShipping { address { address1 city } shippingOption { code title } }
        ... on SubscriptionDeliveryMethodLocalDelivery { localDeliveryOption { code phone instructions } }
        ... on SubscriptionDeliveryMethodPickup { pickupOption { code } }
      }
    }
    deliveryOptions { code title price { amount currencyCode } }
    userErrors { field message code }
  }
}`;
const BANGOR = {
  firstName: 'Ada',
  lastName: 'Brewer',
  address1: '1 Main Street',
  city: 'Bangor',
  countryCode: 'US',
  provinceCode: 'ME',
  zip: '04401',
};
const PORTLAND = { ...BANGOR, address1: '2 Fore Street', city: 'Portland', zip: '04101' };
const WEEKLY = 9_101_001;
const LOCATION = gid('Location', 8_401_001);

const deliveryOf = ({ content }: ContractRecord) => {
  const method = content.deliveryMethod;
  const place = method?.kind === 'pickup' ? method.locationId : method?.address.address1;
  return [method?.kind, place, method?.option.code, content.deliveryPriceMinor];
};

describeOperation('subscriptionContractDeliveryUpdate', {
  query: QUERY,
  variables: () => ({ to: { shipping: BANGOR }, option: 'express' }),
  contractArgument: 'contractId',
  fact: deliveryOf,
  after: ['shipping', '1 Main Street', 'express', 990],
  payload: {
    contract: {
      deliveryPrice: { amount: '9.9', currencyCode: 'USD' },
      deliveryMethod: {
        address: { address1: '1 Main Street', city: 'Bangor' },
        shippingOption: { code: 'express', title: 'Express' },
      },
    },
    deliveryOptions: [],
  },
  changesBy: 'subscriptionDraftCommit',
  // The platform's first answer on options is always that it does not know yet.
  requests: { change: 5, retry: 2 },
  action: 'subscription_delivery_updated',
});

const STANDARD = { code: 'standard', title: 'Standard', price: { amount: '4.9', currencyCode: 'USD' } };
const EXPRESS = { code: 'express', title: 'Express', price: { amount: '9.9', currencyCode: 'USD' } };

function begin(prepare: (world: OperationWorld, contract: ContractRecord) => void = () => undefined) {
  const world = createOperationWorld();
  const contract = world.contract(WEEKLY);
  prepare(world, contract);
  const before = deliveryOf(contract);
  const run = (to: object, option?: string, as: Acting = 'customer') =>
    world.run({
      as,
      query: QUERY,
      variables: { contractId: gid('SubscriptionContract', WEEKLY), to, option },
    });
  return { world, before, run, now: () => deliveryOf(contract) };
}

describe('an address that nothing is delivered to', () => {
  test.each([
    ['without a country', { firstName: 'Ada' }, 'Der Adresse fehlt das Land.', 'Country is invalid'],
    [
      'abroad',
      { ...BANGOR, countryCode: 'JP' },
      'Der Shop liefert nicht an diese Adresse.',
      'No delivery option',
    ],
  ])('%s: the customer reads why in their language, a merchant what the platform says', async (...given) => {
    const [, shipping, serviceMessage, platforms] = given;
    const read = async (as: Acting) => {
      const variables = { contractId: gid('SubscriptionContract', WEEKLY), to: { shipping } };
      const request = { as, query: QUERY, variables, acceptLanguage: 'de' };
      return (await createOperationWorld().run(request)).payload.userErrors;
    };
    const field = ['deliveryMethod', 'shipping'];
    expect(await read('customer')).toEqual([{ field, message: serviceMessage, code: 'INVALID' }]);
    expect(await read('store')).toMatchObject([{ field, message: expect.stringContaining(platforms) }]);
  });
});

describe('the choice is the client’s, the offers are the store’s', () => {
  test.each([
    ['no code', undefined],
    ['an unknown code', 'drone'],
    ['the code of another kind', 'local'],
  ])('returns the offers with %s, and changes and records nothing', async (_name, option) => {
    const { run, before, now } = begin();
    const { payload, recorded, sent } = await run({ shipping: BANGOR }, option);
    expect(payload).toMatchObject({
      contract: null,
      deliveryOptions: [STANDARD, EXPRESS],
      userErrors: [{ field: ['optionCode'], code: 'DELIVERY_OPTION_REQUIRED' }],
    });
    expect(now()).toEqual(before);
    expect(recorded).toMatchObject([{ outcome: 'not done' }]);
    expect(sent).toHaveLength(3);
  });

  test('the only offer of its kind needs no code: local delivery, and a pick-up at the store', async () => {
    const { run, now } = begin();
    const courier = {
      localDelivery: PORTLAND,
      localDeliveryPhone: '+12075550123',
      instructions: 'Ring twice',
    };
    const { payload } = await run(courier);
    expect(payload).toMatchObject({
      contract: {
        deliveryPrice: { amount: '2.5' },
        deliveryMethod: {
          localDeliveryOption: { code: 'local', phone: '+12075550123', instructions: 'Ring twice' },
        },
      },
      deliveryOptions: [],
      userErrors: [],
    });
    expect((await run({ pickupLocationId: LOCATION })).payload).toMatchObject({
      contract: { deliveryPrice: { amount: '0.0' }, deliveryMethod: { pickupOption: { code: 'pickup' } } },
      userErrors: [],
    });
    expect(now()).toEqual(['pickup', 8_401_001, 'pickup', 0]);
    // The contract has no address any more, so the customer's default address is used.
    expect((await run({ pickupLocationId: LOCATION })).recorded).toMatchObject([{ outcome: 'not done' }]);
    expect((await run(courier)).payload.userErrors).toEqual([]);
  });

  test('runs a retry again where the price has changed, if the client leaves the option to the store', async () => {
    const { world, run, now } = begin();
    const courier = { localDelivery: PORTLAND, localDeliveryPhone: '+12075550123' };
    await run(courier);
    world.contract(WEEKLY).content.deliveryPriceMinor = 1;
    expect((await run(courier, 'local')).recorded).toEqual([]);
    expect((await run(courier)).recorded).toMatchObject([
      { outcome: 'done', changes: [{ field: 'deliveryMethod' }, { before: '0.01 USD', after: '2.5 USD' }] },
    ]);
    expect(now()).toEqual(['localDelivery', '2 Fore Street', 'local', 250]);
  });
});

describe('delivery that the store gives for free by hand', () => {
  const FREE = discountByHand({ targetType: 'SHIPPING_LINE', value: { percentage: 100 } });
  const rate = (code: string, priceMinor: number, more: Partial<DeliveryRate> = {}): DeliveryRate => ({
    kind: 'shipping',
    code,
    title: code,
    description: '',
    priceMinor,
    ...more,
  });
  const ALASKA = { ...BANGOR, address1: '3 Egan Drive', city: 'Juneau', provinceCode: 'AK' };
  const HOME = { ...PORTLAND, address1: '8 Wharf Street' };
  const COURIER = { localDelivery: PORTLAND, localDeliveryPhone: '+12075550123' };
  const RATES = [
    rate('saver', 290, { regions: ['US-ME'] }),
    rate('standard', 490, { regions: ['US-ME'] }),
    rate('equal', 490, { regions: ['US-ME'] }),
    rate('express', 990, { regions: ['US-ME'] }),
    rate('far', 1990, { regions: ['US-AK'] }),
    rate('farther', 2990, { regions: ['US-AK'] }),
    rate('local', 1290, { kind: 'localDelivery' }),
  ];
  const beginFree = (discount = FREE) =>
    begin(({ platform }, { content }) => {
      platform.store().deliveryRates = RATES;
      content.discounts.push(discount);
    });

  test('is listed for a customer without the options that are more expensive than the present one', async () => {
    const { run, before, now } = beginFree();
    const { payload } = await run({ shipping: HOME });
    expect(payload.deliveryOptions.map(({ code }: { code: string }) => code)).toEqual([
      'saver',
      'standard',
      'equal',
    ]);
    expect((await run({ shipping: HOME }, 'express')).payload).toMatchObject({
      deliveryOptions: payload.deliveryOptions,
      userErrors: [{ field: ['optionCode'], code: 'DELIVERY_OPTION_REQUIRED' }],
    });
    expect(now()).toEqual(before);
    expect((await run({ shipping: HOME }, 'equal')).payload.userErrors).toEqual([]);
  });

  test('is taken by the cheapest option where the present one is not offered, and never by a more expensive one on the way back', async () => {
    const { run, now } = beginFree();
    expect((await run({ shipping: ALASKA }, 'farther')).payload.userErrors).toMatchObject([
      { code: 'DELIVERY_OPTION_REQUIRED' },
    ]);
    expect((await run({ shipping: ALASKA })).payload.userErrors).toEqual([]);
    expect(now()).toEqual(['shipping', '3 Egan Drive', 'far', 1990]);
    expect((await run({ shipping: BANGOR }, 'express')).payload.userErrors).toMatchObject([
      { code: 'DELIVERY_OPTION_REQUIRED' },
    ]);
    expect((await run({ shipping: BANGOR })).payload.userErrors).toEqual([]);
    expect(now()).toEqual(['shipping', '1 Main Street', 'saver', 290]);
  });

  test('does not take an option that was the cheapest at another address and is not here', async () => {
    const { world, run, now } = beginFree();
    const others = RATES.filter(({ code }) => code !== 'express');
    world.platform.store().deliveryRates = [...others, rate('express', 990)];
    expect((await run({ shipping: ALASKA }, 'express')).payload.userErrors).toEqual([]);
    const { payload } = await run({ shipping: BANGOR }, 'express');
    expect(payload.deliveryOptions.map(({ code }: { code: string }) => code)).toEqual(['saver']);
    expect(now()).toEqual(['shipping', '3 Egan Drive', 'express', 990]);
    expect((await run({ shipping: BANGOR }, 'saver')).payload.userErrors).toEqual([]);
  });

  test('stays with an option that the store chose, at the same place under another name', async () => {
    const { world, run, now } = beginFree();
    const { deliveryMethod } = world.contract(WEEKLY).content;
    if (deliveryMethod) deliveryMethod.option.code = 'express';
    world.contract(WEEKLY).content.deliveryPriceMinor = 990;
    expect((await run({ shipping: { ...HOME, firstName: 'Ada B.' } }, 'express')).payload.userErrors).toEqual(
      [],
    );
    expect(now()).toEqual(['shipping', '8 Wharf Street', 'express', 990]);
  });

  test('is not made by a courier who is more expensive, though there is no other', async () => {
    const { run, before, now } = beginFree();
    expect((await run(COURIER)).payload).toMatchObject({
      deliveryOptions: [],
      userErrors: [{ field: ['deliveryMethod', 'localDelivery'], code: 'INVALID' }],
    });
    expect(now()).toEqual(before);
  });

  test('may become a pick-up, and only where nothing can be picked up the cheapest delivery again', async () => {
    const { world, run, now } = beginFree();
    world.platform.store().deliveryRates = [...RATES, rate('pickup', 0, { kind: 'pickup' })];
    expect((await run({ pickupLocationId: LOCATION })).payload.userErrors).toEqual([]);
    expect((await run({ shipping: PORTLAND }, 'saver')).payload.userErrors).toMatchObject([
      { field: ['deliveryMethod', 'shipping'], code: 'INVALID' },
    ]);
    expect((await run({ shipping: BANGOR }, 'standard')).payload.userErrors).toMatchObject([
      { code: 'DELIVERY_OPTION_REQUIRED' },
    ]);
    expect((await run({ shipping: BANGOR }, 'saver')).payload.userErrors).toEqual([]);
    expect(now()).toEqual(['shipping', '1 Main Street', 'saver', 290]);
  });

  test('goes to the store’s own town by the cheapest delivery, though goods can be picked up there', async () => {
    const { world, run, now } = beginFree();
    await run({ shipping: ALASKA });
    world.platform.store().deliveryRates = [...RATES, rate('pickup', 0, { kind: 'pickup' })];
    expect((await run({ shipping: HOME }, 'standard')).payload.deliveryOptions).toMatchObject([
      { code: 'saver' },
    ]);
    expect((await run({ shipping: HOME }, 'saver')).payload.userErrors).toEqual([]);
    expect(now()).toEqual(['shipping', '8 Wharf Street', 'saver', 290]);
  });

  test('is not taken by the present option where that one is more expensive, and another is cheaper', async () => {
    const { world, run, before, now } = beginFree();
    world.platform.store().deliveryRates = [
      rate('standard', 1490, { regions: ['US-AK'] }),
      rate('far', 990, { regions: ['US-AK'] }),
    ];
    expect((await run({ shipping: ALASKA }, 'standard')).payload.deliveryOptions).toMatchObject([
      { code: 'far' },
    ]);
    expect(now()).toEqual(before);
  });

  test.each([
    ['a key in its own name', FREE, 'store'],
    [
      'a customer whose free payments are over',
      { ...FREE, recurringCycleLimit: 2, usageCount: 2 },
      'customer',
    ],
    ['a customer with a discount on the goods', discountByHand({ value: { percentage: 100 } }), 'customer'],
    ['a customer with a code', { ...FREE, type: 'CODE_DISCOUNT', redeemCode: 'SHIPFREE' }, 'customer'],
  ] as const)('does not bind %s', async (_who, discount, as) => {
    const { run, now } = beginFree(discount);
    expect((await run({ shipping: BANGOR }, 'express', as)).payload.userErrors).toEqual([]);
    expect(now()).toEqual(['shipping', '1 Main Street', 'express', 990]);
  });
});

describe('what cannot be', () => {
  const shipping = { shipping: BANGOR };
  const where = ['deliveryMethod'];
  test.each([
    ['no kind', {}, where],
    ['two kinds', { ...shipping, pickupLocationId: LOCATION }, where],
    ['no phone', { localDelivery: PORTLAND }, [...where, 'localDeliveryPhone']],
    ['a phone for the post', { ...shipping, localDeliveryPhone: '+1' }, [...where, 'localDeliveryPhone']],
    ['instructions for the post', { ...shipping, instructions: 'x' }, [...where, 'instructions']],
  ])('returns INVALID with one request and records nothing: %s', async (_name, to, field) => {
    const { run, before, now } = begin();
    const { payload, sent, recorded } = await run(to, 'express');
    expect(payload.userErrors).toMatchObject([{ field, code: 'INVALID' }]);
    expect([sent.length, recorded.length, now()]).toEqual([1, 0, before]);
  });

  test.each([
    ['a country that is not delivered to', { shipping: { ...BANGOR, countryCode: 'FR' } }, 'shipping'],
    ['a town without a courier', { localDelivery: BANGOR, localDeliveryPhone: '+1' }, 'localDelivery'],
    ['another store’s place', { pickupLocationId: gid('Location', 8_402_001) }, 'pickupLocationId'],
  ])('returns INVALID at the argument, with no option to choose: %s', async (_name, to, field) => {
    const { run, before, now } = begin();
    const { payload } = await run(to, 'express');
    expect(payload).toMatchObject({
      deliveryOptions: [],
      userErrors: [{ field: ['deliveryMethod', field], code: 'INVALID' }],
    });
    expect(now()).toEqual(before);
  });

  test('refuses a price in another currency than the contract’s', async () => {
    const { run, before, now } = begin(({ platform }, { content }) => {
      platform.store().drafts = new (class extends Map {
        // The platform returns this draft's prices in the store's currency.
        override set(id: number, draft: { content: { currencyCode: string } }) {
          draft.content.currencyCode = 'USD';
          return super.set(id, draft);
        }
      })();
      content.currencyCode = 'CAD';
    });
    const { payload } = await run(shipping, 'express');
    expect(payload.userErrors).toMatchObject([{ field: where, code: 'CURRENCY_NOT_SUPPORTED' }]);
    expect(now()).toEqual(before);
  });

  test('a mistake in the address comes back at the client’s own field', async () => {
    const { run } = begin();
    const to = { shipping: { ...BANGOR, address2: 'https://example.com' } };
    const { payload } = await run(to, 'express');
    expect(payload.userErrors).toMatchObject([
      { field: [...where, 'shipping', 'address2'], code: 'INVALID' },
    ]);
  });
});

describe('a store that has not granted read_locations', () => {
  const withhold = ({ platform }: OperationWorld) => {
    platform.store().access = createAccessWithout({ scopes: ['read_locations'] });
  };

  test('delivers by post and courier, also what was picked up before', async () => {
    const { world, run, now } = begin();
    await run({ pickupLocationId: LOCATION });
    withhold(world);
    const { payload, sent } = await run({ shipping: BANGOR }, 'express');
    expect(payload.userErrors).toEqual([]);
    expect(now()).toEqual(['shipping', '1 Main Street', 'express', 990]);
    expect(sent).toHaveLength(5);
  });

  test.each([
    ['customer', /^Pickup is not available\. Contact the store/],
    ['store', /read_locations/],
  ] as const)('returns immediately to a %s that pickup is not available', async (as, message) => {
    const { world, run, now } = begin();
    await run({ pickupLocationId: LOCATION });
    const before = now();
    withhold(world);
    const outcome = await run({ pickupLocationId: LOCATION }, 'pickup', as);
    expect(outcome.payload).toMatchObject({
      deliveryOptions: [],
      userErrors: [{ field: ['deliveryMethod', 'pickupLocationId'], code: 'INVALID' }],
    });
    expect(outcome.payload.userErrors[0].message).toMatch(message);
    expect(outcome.recorded.filter(({ outcome }) => outcome === 'done')).toEqual([]);
    expect([outcome.sent.length <= 3, now()]).toEqual([true, before]);
  });
});

test('options that are null with another error: PLATFORM_UNAVAILABLE at once', async () => {
  const { run, before, now } = begin(({ platform }) => {
    platform.store().locations = new Map([[1, undefined as never]]);
  });
  const { code, sent } = await run({ pickupLocationId: LOCATION }, 'pickup');
  expect([code, now()]).toEqual(['PLATFORM_UNAVAILABLE', before]);
  expect(sent.filter((roots) => roots.includes('subscriptionDraft')).length).toBeLessThan(2);
});

test('options that stay pending: PLATFORM_UNAVAILABLE inside the deadline, and nothing is changed', async () => {
  const { world, run, before, now } = begin(({ platform }) => {
    const store = platform.store();
    store.drafts = new (class extends Map {
      override get(id: number) {
        const draft = super.get(id);
        if (draft !== undefined) draft.deliveryOptionsRequested = [];
        return draft;
      }
    })();
  });
  const { code, payload, sent } = await run({ shipping: BANGOR }, 'express');
  expect([code, payload, now()]).toEqual(['PLATFORM_UNAVAILABLE', null, before]);
  expect(sent.filter((roots) => roots.includes('subscriptionDraft'))).toHaveLength(9);
  expect(world.platform.store().contracts.get(WEEKLY)?.content.deliveryPriceMinor).toBe(490);
});

test('the timeline has the address as changed, never its values', async () => {
  const { run } = begin();
  const { recorded } = await run({ shipping: BANGOR }, 'express');
  expect(recorded).toMatchObject([
    {
      details: {},
      changes: [
        { field: 'deliveryMethod', before: null, after: null },
        { field: 'deliveryPrice', before: '4.9 USD', after: '9.9 USD' },
      ],
    },
  ]);
  expect(JSON.stringify(recorded)).not.toMatch(/Main Street|Bangor|Ada|04401/);
});
