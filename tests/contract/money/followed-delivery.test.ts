/** The price of delivery follows the lines that a customer changes, at the store's own rates. */
import { describe, expect, test } from '@jest/globals';
import type { DeliveryRate } from '../../../sandbox/platform/state/catalogue-records.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { createAccessWithout } from '../../../sandbox/platform/state/store-access.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, PREPAID_PLAN } from '../../world/interval-world.ts';
import { discountByHand } from '../world/discount-by-hand.ts';
import { house250, lineId } from '../world/lines-operation.ts';
import { type Acting, createOperationWorld, gid, type OperationWorld } from '../world/operation-world.ts';

const QUERY = `mutation ($contractId: ID!, $add: [SubscriptionLineAddInput!], $update: [SubscriptionLineChangeInput!], $remove: [ID!], $option: String) {
  subscriptionContractLinesUpdate(contractId: $contractId, add: $add, update: $update, remove: $remove, optionCode: $option) {
    contract { deliveryPrice { amount } }
    deliveryOptions { code title price { amount currencyCode } }
    userErrors { field message code }
  }
}`;
const WEEKLY = 9_101_001;

const rate = (code: string, priceMinor: number, more: Partial<DeliveryRate> = {}): DeliveryRate => ({
  kind: 'shipping',
  code,
  title: code,
  description: '',
  priceMinor,
  ...more,
});
/** The one line is 11.90 and 250 g a piece. */
const FREE_FROM_50 = [rate('standard', 0, { fromMinor: 5000 }), rate('standard', 490), rate('express', 990)];
const BY_WEIGHT = [
  rate('standard', 490, { belowGrams: 1000 }),
  rate('standard', 990, { belowGrams: 2000 }),
  rate('express', 1990),
  rate('freight', 1490, { fromGrams: 2000 }),
];

type Prepare = (world: OperationWorld, contract: ContractRecord) => void;

function begin(rates: DeliveryRate[], prepare: Prepare = () => undefined) {
  const world = createOperationWorld();
  world.platform.store().deliveryRates = rates;
  prepare(world, world.contract(WEEKLY));
  const content = () => world.contract(WEEKLY).content;
  /** Reads the quantity of the first line, the delivery option and its price. */
  const state = () => {
    const { lines, deliveryMethod, deliveryPriceMinor } = content();
    return [lines[0]?.quantity, deliveryMethod?.option.code, deliveryPriceMinor];
  };
  const ask = (variables: object, as: Acting = 'customer') =>
    world.run({
      as,
      now: () => world.platform.holder.nowMs,
      query: QUERY,
      variables: { contractId: gid('SubscriptionContract', WEEKLY), ...variables },
    });
  const setQuantity = (quantity: number, { option, as }: { option?: string; as?: Acting } = {}) =>
    ask({ update: [{ lineId: lineId(world.contract(WEEKLY)), quantity }], option }, as);
  return { world, content, state, ask, setQuantity };
}

const steps = (sent: readonly string[][]) => sent.map(([root]) => root);

/** The platform never finds the options of any draft out. */
const NEVER_FOUND: Prepare = ({ platform }) => {
  platform.store().drafts = new (class extends Map {
    override get(id: number) {
      const draft = super.get(id);
      if (draft !== undefined) draft.deliveryOptionsRequested = [];
      return draft;
    }
  })();
};

const courier: Prepare = (_world, { content }) => {
  const { deliveryMethod } = content;
  if (deliveryMethod?.kind !== 'shipping') throw new Error('no address');
  const option = { code: 'local', title: 'x', presentmentTitle: 'x', description: null };
  const called = { phone: '+12075550123', instructions: 'Ring twice' };
  content.deliveryMethod = {
    kind: 'localDelivery',
    address: deliveryMethod.address,
    option: { ...option, ...called },
  };
  content.deliveryPriceMinor = 250;
};

const pickedUp: Prepare = (_world, { content }) => {
  const option = { code: 'pickup', title: 'x', presentmentTitle: 'x', description: null };
  content.deliveryMethod = { kind: 'pickup', locationId: 8_401_001, option };
};
const PICKUPS = [
  rate('pickup', 490, { kind: 'pickup', belowGrams: 1000 }),
  rate('pickup', 690, { kind: 'pickup', belowGrams: 2000 }),
];

describe('the price of the present option', () => {
  test('is set for the new lines, up and down, with one entry', async () => {
    const { state, setQuantity } = begin(FREE_FROM_50);
    const { payload, sent, recorded } = await setQuantity(5);
    expect(payload).toMatchObject({
      contract: { deliveryPrice: { amount: '0.0' } },
      deliveryOptions: [],
      userErrors: [],
    });
    expect(state()).toEqual([5, 'standard', 0]);
    expect(steps(sent)).toEqual([
      'subscriptionContract',
      'subscriptionContractUpdate',
      'subscriptionDraft',
      'subscriptionDraftLineUpdate',
      'subscriptionDraft',
      'subscriptionDraftUpdate',
      'subscriptionDraftCommit',
    ]);
    expect(recorded).toMatchObject([{ action: 'subscription_lines_updated', outcome: 'done' }]);
    expect(recorded[0]?.changes.map(({ field, before, after }) => [field, before, after])).toEqual([
      [expect.stringMatching(/^lines\..*quantity$/), '1', '5'],
      ['deliveryPrice', '4.9 USD', '0 USD'],
    ]);
    expect((await setQuantity(4)).payload.contract.deliveryPrice).toEqual({ amount: '4.9' });
    expect(state()).toEqual([4, 'standard', 490]);
  });

  test('follows the weight of what is added and removed', async () => {
    const { content, ask } = begin(BY_WEIGHT);
    const add = [{ productVariantId: gid('ProductVariant', 810_100_103), quantity: 1 }];
    expect((await ask({ add })).payload.contract.deliveryPrice).toEqual({ amount: '9.9' });
    const added = content().lines[1]?.id;
    const { payload } = await ask({ remove: [gid('SubscriptionLine', added ?? '')] });
    expect(payload.contract.deliveryPrice).toEqual({ amount: '4.9' });
  });

  test('stays where it is the same, also one that the store has set by hand, and one request less is sent', async () => {
    const { state, setQuantity } = begin(BY_WEIGHT, (_world, { content }) => {
      content.deliveryPriceMinor = 100;
    });
    const { sent, recorded } = await setQuantity(3);
    expect([state(), sent.length]).toEqual([[3, 'standard', 100], 6]);
    expect(recorded[0]?.changes).toHaveLength(1);
    expect((await setQuantity(4)).payload.userErrors).toEqual([]);
    expect(state()).toEqual([4, 'standard', 990]);
  });

  test('is set for a courier, and the phone number stays', async () => {
    const rates = [
      rate('local', 250, { kind: 'localDelivery', belowGrams: 1000 }),
      rate('local', 750, { kind: 'localDelivery' }),
    ];
    const { content, state, setQuantity } = begin(rates, courier);
    expect((await setQuantity(4)).payload.userErrors).toEqual([]);
    expect(state()).toEqual([4, 'local', 750]);
    expect(content().deliveryMethod).toMatchObject({
      kind: 'localDelivery',
      option: { phone: '+12075550123', instructions: 'Ring twice' },
    });
  });

  test('is set for a pick-up by the customer’s own address, and lines without a price are refused', async () => {
    const { state, setQuantity } = begin([...BY_WEIGHT, ...PICKUPS], pickedUp);
    expect((await setQuantity(4)).payload.userErrors).toEqual([]);
    expect(state()).toEqual([4, 'pickup', 690]);
    expect((await setQuantity(8, { option: 'freight' })).payload).toMatchObject({
      deliveryOptions: [],
      userErrors: [{ field: null, code: 'INVALID' }],
    });
    expect(state()).toEqual([4, 'pickup', 690]);
  });

  test('is that of the rates after another change came first', async () => {
    const { world, state, setQuantity } = begin(FREE_FROM_50);
    world.fail({
      kind: 'stale',
      at: 'subscriptionDraftCommit',
      change: () => {
        world.platform.store().deliveryRates = [
          rate('standard', 190, { fromMinor: 5000 }),
          rate('standard', 490),
        ];
      },
    });
    const { payload, recorded } = await setQuantity(5);
    expect(payload.userErrors).toEqual([]);
    expect(state()).toEqual([5, 'standard', 190]);
    expect(recorded.map(({ outcome }) => outcome)).toEqual(['not done', 'done']);
  });

  test('is known when the answer to the commit is lost', async () => {
    const { world, state, setQuantity } = begin(FREE_FROM_50);
    world.fail({ kind: 'lost after', at: 'subscriptionDraftCommit' });
    const { payload, recorded } = await setQuantity(5);
    expect(payload).toMatchObject({ contract: { deliveryPrice: { amount: '0.0' } }, userErrors: [] });
    expect(state()).toEqual([5, 'standard', 0]);
    expect(recorded).toMatchObject([{ outcome: 'seen', changes: [{}, { field: 'deliveryPrice' }] }]);
  });

  test('is unknown when the request to commit is lost', async () => {
    const { world, state, setQuantity } = begin(FREE_FROM_50);
    world.fail({ kind: 'lost before', at: 'subscriptionDraftCommit' });
    const { code, recorded } = await setQuantity(5);
    expect([code, state()]).toEqual(['OUTCOME_UNKNOWN', [1, 'standard', 490]]);
    expect(recorded).toMatchObject([{ outcome: 'open' }]);
  });

  test.each([
    ['refused by the platform', 'refused', undefined],
    ['lost', 'lost after', 'PLATFORM_UNAVAILABLE'],
  ] as const)('leaves everything as it is when its mutation is %s', async (_what, kind, code) => {
    const { world, state, setQuantity } = begin(FREE_FROM_50);
    const refusal = { field: ['input', 'deliveryPrice'], message: 'No', code: 'INVALID' };
    world.fail({ kind, at: 'subscriptionDraftUpdate', ...(kind === 'refused' && { refusal }) });
    const outcome = await setQuantity(5);
    expect([outcome.code, state()]).toEqual([code, [1, 'standard', 490]]);
    if (kind === 'refused') {
      expect(outcome.payload.userErrors).toMatchObject([{ code: 'INVALID' }]);
      expect(outcome.recorded).toMatchObject([{ outcome: 'not done' }]);
    }
  });
});

describe('an option that is not offered for the new lines', () => {
  const OFFERED = [
    { code: 'express', title: 'express', price: { amount: '19.9', currencyCode: 'USD' } },
    { code: 'freight', title: 'freight', price: { amount: '14.9', currencyCode: 'USD' } },
  ];

  test.each([
    ['no code', undefined],
    ['the code of the present option', 'standard'],
    ['an unknown code', 'drone'],
  ])('is to be replaced, and nothing is changed with %s', async (_name, option) => {
    const { state, setQuantity } = begin(BY_WEIGHT);
    const { payload, recorded } = await setQuantity(8, option === undefined ? {} : { option });
    expect(payload).toMatchObject({
      contract: null,
      deliveryOptions: OFFERED,
      userErrors: [{ field: ['optionCode'], code: 'DELIVERY_OPTION_REQUIRED' }],
    });
    expect(state()).toEqual([1, 'standard', 490]);
    expect(recorded).toMatchObject([{ outcome: 'not done' }]);
  });

  test('is replaced by the one that the customer chooses, at its price', async () => {
    const { content, state, setQuantity } = begin(BY_WEIGHT);
    const address = { firstName: 'Ada', address1: '8 Wharf Street', city: 'Portland', zip: '04101' };
    const { payload, recorded } = await setQuantity(8, { option: 'freight' });
    expect(payload).toMatchObject({
      contract: { deliveryPrice: { amount: '14.9' } },
      deliveryOptions: [],
      userErrors: [],
    });
    expect(state()).toEqual([8, 'freight', 1490]);
    expect(content().deliveryMethod).toMatchObject({ kind: 'shipping', address });
    expect(recorded[0]?.changes.slice(1)).toMatchObject([
      { field: 'deliveryMethod', before: null, after: null },
      { field: 'deliveryPrice', before: '4.9 USD', after: '14.9 USD' },
    ]);
  });

  test('is not replaced while it is offered, whatever code is sent', async () => {
    const { state, setQuantity } = begin(BY_WEIGHT);
    expect((await setQuantity(2, { option: 'express' })).payload.userErrors).toEqual([]);
    expect(state()).toEqual([2, 'standard', 490]);
  });

  test('is replaced by the post where no courier takes the lines', async () => {
    const rates = [rate('local', 250, { kind: 'localDelivery', belowGrams: 1000 }), rate('express', 1990)];
    const { content, state, setQuantity } = begin(rates, courier);
    expect((await setQuantity(4)).payload.deliveryOptions).toMatchObject([{ code: 'express' }]);
    expect((await setQuantity(4, { option: 'express' })).payload.userErrors).toEqual([]);
    expect(state()).toEqual([4, 'express', 1990]);
    expect(content().deliveryMethod).toMatchObject({ kind: 'shipping', address: { city: 'Portland' } });
  });

  test('refuses the lines where there is no other', async () => {
    const { state, setQuantity } = begin([rate('standard', 490, { belowGrams: 1000 })]);
    const { payload } = await setQuantity(4, { option: 'standard' });
    expect(payload).toMatchObject({
      contract: null,
      deliveryOptions: [],
      userErrors: [{ field: null, code: 'INVALID' }],
    });
    expect(payload.userErrors[0].message).toMatch(
      /The current delivery option is not available for these products/,
    );
    expect(state()).toEqual([1, 'standard', 490]);
  });

  test('is replaced by the cheapest alone while the store gives delivery for free by hand', async () => {
    const { state, setQuantity } = begin(BY_WEIGHT, (_world, { content }) => {
      content.discounts.push(
        discountByHand({ targetType: 'SHIPPING_LINE', value: { percentage: 100 }, recurringCycleLimit: 3 }),
      );
    });
    const { payload } = await setQuantity(8, { option: 'express' });
    expect(payload.deliveryOptions).toEqual(OFFERED.slice(1));
    expect(state()).toEqual([1, 'standard', 490]);
    expect((await setQuantity(8, { option: 'freight' })).payload.userErrors).toEqual([]);
  });
});

describe('delivery that the store gives for free by hand', () => {
  const FREE = discountByHand({ targetType: 'SHIPPING_LINE', value: { percentage: 100 } });
  const given: Prepare = (_world, { content }) => void content.discounts.push(FREE);
  const LIGHT_AND_HEAVY = [rate('standard', 490, { belowGrams: 1000 }), rate('express', 990)];

  test('replaces an option that was the cheapest for other goods, and is not for these', async () => {
    const { state, setQuantity } = begin(LIGHT_AND_HEAVY, given);
    expect((await setQuantity(8, { option: 'express' })).payload.userErrors).toEqual([]);
    expect(state()).toEqual([8, 'express', 990]);
    for (const option of [undefined, 'express']) {
      const { payload } = await setQuantity(1, option === undefined ? {} : { option });
      expect(payload).toMatchObject({
        deliveryOptions: [{ code: 'standard' }],
        userErrors: [{ field: ['optionCode'], code: 'DELIVERY_OPTION_REQUIRED' }],
      });
    }
    expect((await setQuantity(1, { option: 'standard' })).payload.userErrors).toEqual([]);
    expect(state()).toEqual([1, 'standard', 490]);
  });

  test('keeps the option that the store chose, though it is not the cheapest', async () => {
    const { state, setQuantity } = begin(LIGHT_AND_HEAVY, (world, contract) => {
      given(world, contract);
      if (contract.content.deliveryMethod) contract.content.deliveryMethod.option.code = 'express';
    });
    expect((await setQuantity(2)).payload.userErrors).toEqual([]);
    expect((await setQuantity(1)).payload.userErrors).toEqual([]);
    expect(state()).toEqual([1, 'express', 490]);
  });
});

describe('the delivery price stays', () => {
  const cases: [string, Prepare, Acting?][] = [
    ['of a key in its own name', () => undefined, 'store'],
    [
      'of a contract without a delivery method',
      (_world, { content }) => {
        // The platform takes no line without one that has to be sent.
        for (const line of content.lines) line.requiresShipping = false;
        content.deliveryMethod = null;
      },
    ],
    [
      'of a way of delivery that the store has made by hand',
      (_world, { content }) => {
        if (content.deliveryMethod) content.deliveryMethod.option.code = 'by-hand';
      },
    ],
    [
      'of a way of delivery without a code',
      (_world, { content }) => {
        if (content.deliveryMethod) content.deliveryMethod.option.code = null;
      },
    ],
    ['of a pick-up whose price is not known', pickedUp],
    [
      'of a pick-up while the customer has no address',
      (world, contract) => {
        pickedUp(world, contract);
        world.platform.store().deliveryRates?.push(...PICKUPS);
        world.platform.store().addresses.clear();
      },
    ],
    ...(['address', 'name', 'phone'] as const).map((data): [string, Prepare] => [
      `where the store has not granted access to a customer’s ${data}`,
      ({ platform }) => {
        platform.store().access = createAccessWithout({ data: [data] });
      },
    ]),
    [
      'at an address that nothing is delivered to any more',
      ({ platform }) => {
        platform.store().shipsToCountries = [];
      },
    ],
  ];

  test.each(cases)('%s', async (_name, prepare, as = 'customer') => {
    const { state, setQuantity } = begin(BY_WEIGHT, prepare);
    const [, code] = state();
    const { payload } = await setQuantity(8, { as });
    expect(payload.userErrors).toEqual([]);
    expect(state()).toEqual([8, code, 490]);
  });

  test('where the platform does not find the options out in 5 seconds', async () => {
    const { state, setQuantity } = begin(BY_WEIGHT, NEVER_FOUND);
    const { payload, sent } = await setQuantity(8);
    expect(payload.userErrors).toEqual([]);
    expect(state()).toEqual([8, 'standard', 490]);
    expect(sent.filter((roots) => roots.includes('subscriptionDraft'))).toHaveLength(5);
  });

  test('not where a client leaves no time for the options: nothing is changed', async () => {
    const { world, state, setQuantity } = begin(BY_WEIGHT);
    const { drafts } = world.platform.store();
    const set = drafts.set.bind(drafts);
    drafts.set = (id, draft) => {
      world.platform.holder.nowMs += 13_900;
      return set(id, draft);
    };
    const { code } = await setQuantity(8);
    expect([code, state()]).toEqual(['PLATFORM_UNAVAILABLE', [1, 'standard', 490]]);
  });
});

describe('another interval', () => {
  const FORTNIGHTLY_PLAN = gid('SellingPlan', 830_100_102);
  const WEEKLY_PLAN = gid('SellingPlan', 830_100_101);
  const FREE_FROM_10 = [rate('standard', 0, { fromMinor: 1000 }), rate('standard', 490)];

  /** One decaf for 13.50 every two weeks; every week it is half of 15.00. */
  const beginDecaf = (rates: DeliveryRate[], deliveryPriceMinor: number) => {
    const world = createIntervalWorld({ table: createMemoryTable(), contract: 9_101_003 });
    const weekly = world.shop().sellingPlans.get(830_100_101);
    const [policy] = weekly?.pricingPolicies ?? [];
    if (weekly === undefined || policy === undefined) throw new Error('no plan');
    weekly.pricingPolicies = [{ ...policy, adjustmentValue: 50 }];
    world.shop().deliveryRates = rates;
    world.contract.content.deliveryPriceMinor = deliveryPriceMinor;
    const changeTo = async (plan: string, as: Acting = 'customer') => {
      const { payload, sent } = await world.change({ plan }, as);
      return { errors: payload.userErrors, sent, price: world.contract.content.deliveryPriceMinor };
    };
    const setQuantity = (quantity: number) =>
      world.ask(QUERY, { update: [{ lineId: lineId(world.contract), quantity }] });
    return { world, changeTo, setQuantity };
  };

  test('sets the price of the present option for the new prices of the lines, with one entry', async () => {
    const { world, changeTo } = beginDecaf(FREE_FROM_10, 0);
    const { sent, ...outcome } = await changeTo(WEEKLY_PLAN);
    expect(outcome).toEqual({ errors: [], price: 490 });
    expect(steps(sent).filter((root) => root === 'subscriptionDraft')).toHaveLength(2);
    const [entry, ...others] = await world.entries();
    expect(others).toEqual([]);
    expect(entry?.changes.filter(({ field }) => field === 'deliveryPrice')).toMatchObject([
      { before: '0 USD', after: '4.9 USD' },
    ]);
  });

  test('leaves a price by hand that the prices of the lines do not change, and that of a key', async () => {
    const byHand = beginDecaf([rate('standard', 490)], 100);
    expect(await byHand.changeTo(WEEKLY_PLAN)).toMatchObject({ errors: [], price: 100 });
    const byKey = beginDecaf(FREE_FROM_10, 0);
    expect(await byKey.changeTo(WEEKLY_PLAN, 'store')).toMatchObject({ errors: [], price: 0 });
  });

  test('is refused where the present option is not offered for the new prices', async () => {
    const { world, changeTo } = beginDecaf(
      [rate('standard', 490, { fromMinor: 1000 }), rate('post', 690)],
      490,
    );
    expect((await changeTo(WEEKLY_PLAN)).errors).toMatchObject([
      { field: ['sellingPlanId'], code: 'INVALID' },
    ]);
    expect(world.contract.content.lines).toMatchObject([{ currentPriceMinor: 1350 }]);
  });

  test('takes the cheapest option where the present one, which was it, is not while delivery is free by hand', async () => {
    const { world, changeTo } = beginDecaf(
      [rate('half', 290, { belowMinor: 1000 }), rate('standard', 490)],
      490,
    );
    const FREE = discountByHand({ targetType: 'SHIPPING_LINE', value: { percentage: 100 } });
    world.contract.content.discounts.push(FREE);
    expect(await changeTo(WEEKLY_PLAN)).toMatchObject({ errors: [], price: 290 });
    expect(world.contract.content.deliveryMethod).toMatchObject({ option: { code: 'half' } });
  });

  test('takes the cheapest option when payments for several deliveries end while delivery is free by hand', async () => {
    const express = [rate('express', 490, { belowMinor: 3000 }), rate('express', 1990, { fromMinor: 3000 })];
    const { world, changeTo, setQuantity } = beginDecaf([rate('standard', 490), ...express], 490);
    const { content } = world.contract;
    content.discounts.push(discountByHand({ targetType: 'SHIPPING_LINE', value: { percentage: 100 } }));
    if (content.deliveryMethod) content.deliveryMethod.option.code = 'express';
    expect(await changeTo(PREPAID_PLAN)).toMatchObject({ errors: [] });
    expect((await setQuantity(5)).payload.userErrors).toEqual([]);
    expect(await changeTo(FORTNIGHTLY_PLAN)).toMatchObject({ errors: [], price: 490 });
    expect(world.contract.content.deliveryMethod).toMatchObject({ option: { code: 'standard' } });
  });

  describe('of payments for several deliveries', () => {
    const OF_PAYMENT = [rate('standard', 0, { fromMinor: 5000 }), rate('standard', 490)];

    test('keeps lines away for which the delivery costs something else, until the customer leaves the plan', async () => {
      const { world, changeTo, setQuantity } = beginDecaf(OF_PAYMENT, 490);
      await setQuantity(4);
      expect(await changeTo(PREPAID_PLAN)).toMatchObject({ errors: [], price: 0 });
      const { payload, sent } = await setQuantity(1);
      expect(payload.userErrors).toMatchObject([{ field: null, code: 'INVALID' }]);
      expect(payload.userErrors[0].message).toMatch(
        /First choose a plan that bills each delivery separately/,
      );
      expect(steps(sent)).not.toContain('subscriptionDraftCommit');
      expect((await setQuantity(3)).payload.userErrors).toEqual([]);
      expect(await changeTo(FORTNIGHTLY_PLAN)).toMatchObject({ errors: [], price: 490 });
      expect((await setQuantity(1)).payload.userErrors).toEqual([]);
      expect(await changeTo(PREPAID_PLAN)).toMatchObject({ errors: [], price: 1470 });
      const facts = (await world.entries()).flatMap(({ changes }) => changes);
      expect(facts.filter(({ field }) => field === 'deliveryPrice').map(({ after }) => after)).toEqual([
        '0 USD',
        '4.9 USD',
        '14.7 USD',
      ]);
    });

    test('keeps lines away that the present option is not offered for', async () => {
      const { world, changeTo, setQuantity } = beginDecaf([rate('standard', 490, { belowGrams: 1000 })], 490);
      await changeTo(PREPAID_PLAN);
      expect((await setQuantity(100)).payload.userErrors).toMatchObject([{ field: null, code: 'INVALID' }]);
      expect((await setQuantity(3)).payload.userErrors).toEqual([]);
      expect(await changeTo(FORTNIGHTLY_PLAN)).toMatchObject({ errors: [], price: 490 });
      expect(world.contract.content.lines).toMatchObject([{ quantity: 3 }]);
    });

    test('refuses more goods while the present option is not offered for the goods of a payment', async () => {
      const rates = [
        rate('standard', 490, { belowMinor: 5000, belowGrams: 10_000 }),
        rate('free', 0, { fromMinor: 5000, belowGrams: 10_000 }),
        rate('parcel', 2500, { fromGrams: 10_000 }),
      ];
      const { world, changeTo, setQuantity } = beginDecaf(rates, 490);
      await setQuantity(3);
      expect(await changeTo(PREPAID_PLAN)).toMatchObject({ errors: [], price: 1470 });
      const more = await setQuantity(60);
      expect(more.payload.userErrors).toMatchObject([{ field: null, code: 'INVALID' }]);
      expect(more.payload.userErrors[0].message).toMatch(
        /First choose a plan that bills each delivery separately/,
      );
      expect((await setQuantity(2)).payload.userErrors).toEqual([]);
      expect(world.contract.content.deliveryPriceMinor).toBe(1470);
    });

    test('keeps lines away for which a cheaper option is offered while delivery is free by hand', async () => {
      const rates = [rate('standard', 490, { belowGrams: 1000 }), rate('express', 990)];
      const { world, changeTo, setQuantity } = beginDecaf(rates, 490);
      const FREE = discountByHand({ targetType: 'SHIPPING_LINE', value: { percentage: 100 } });
      world.contract.content.discounts.push(FREE);
      await world.ask(QUERY, {
        update: [{ lineId: lineId(world.contract), quantity: 8 }],
        option: 'express',
      });
      expect(await changeTo(PREPAID_PLAN)).toMatchObject({ errors: [] });
      expect((await setQuantity(1)).payload.userErrors).toMatchObject([{ field: null, code: 'INVALID' }]);
      expect((await setQuantity(9)).payload.userErrors).toEqual([]);
    });
  });

  test('multiplies the price for one delivery where the option has no code', async () => {
    const { world, changeTo } = beginDecaf([rate('post', 490)], 500);
    if (world.contract.content.deliveryMethod) world.contract.content.deliveryMethod.option.code = null;
    expect(await changeTo(PREPAID_PLAN)).toMatchObject({ errors: [], price: 1500 });
    expect(await changeTo(FORTNIGHTLY_PLAN)).toMatchObject({ errors: [], price: 500 });
    const facts = (await world.entries()).flatMap(({ changes }) => changes);
    expect(facts.filter(({ field }) => field === 'deliveryPrice')).toMatchObject([
      { before: '5 USD', after: '15 USD' },
      { before: '15 USD', after: '5 USD' },
    ]);
  });
});

test('an entry that the scheduled work writes after a crash names the delivery, and nobody else’s does', async () => {
  const world = createIntervalWorld({ table: createMemoryTable() });
  world.shop().deliveryRates = BY_WEIGHT;
  // The answer to the commit is lost, and so is the read that would show it.
  world.fail({ kind: 'lost after', at: 'subscriptionDraftCommit' });
  const { platform } = world;
  const { send } = platform;
  platform.send = (body, ...more) => {
    const isCommit = body.includes('subscriptionDraftCommit');
    if (isCommit) world.fail({ kind: 'lost before', at: 'subscriptionContract', times: 9 });
    return send(body, ...more);
  };
  const lines = { update: [{ lineId: lineId(world.contract), quantity: 8 }], option: 'freight' };
  expect((await world.ask(QUERY, lines)).code).toBe('OUTCOME_UNKNOWN');
  world.clearFaults();
  await world.settle();
  const [entry, ...others] = await world.entries();
  expect([entry?.action, others]).toEqual(['subscription_lines_updated', []]);
  expect(entry?.changes.map(({ field, before, after }) => [field, before, after])).toEqual([
    [expect.stringMatching(/quantity$/), '1', '8'],
    ['deliveryMethod', null, null],
    ['deliveryPrice', '4.9 USD', '14.9 USD'],
  ]);
});

test('moves between options and lines end at the price of the rates', async () => {
  const { world, state, ask, setQuantity } = begin(BY_WEIGHT);
  const deliver = (option: string) =>
    world.run({
      as: 'customer',
      query: `mutation ($contractId: ID!, $option: String) { subscriptionContractDeliveryUpdate(contractId: $contractId, optionCode: $option, deliveryMethod: { shipping: {
        firstName: "Ada", lastName: "Brewer", address1: "1 Main Street", city: "Bangor", countryCode: US, provinceCode: "ME", zip: "04401"
      } }) { contract { id } userErrors { code } } }`,
      variables: { contractId: gid('SubscriptionContract', WEEKLY), option },
    });
  await setQuantity(8, { option: 'freight' });
  expect((await setQuantity(1)).payload.userErrors).toMatchObject([{ code: 'DELIVERY_OPTION_REQUIRED' }]);
  expect((await setQuantity(1, { option: 'standard' })).payload.userErrors).toEqual([]);
  expect(state()).toEqual([1, 'standard', 490]);
  await deliver('express');
  await setQuantity(20);
  expect(state()).toEqual([20, 'express', 1990]);
  expect((await deliver('standard')).payload.userErrors).toMatchObject([
    { code: 'DELIVERY_OPTION_REQUIRED' },
  ]);
  await setQuantity(5);
  await deliver('standard');
  expect(state()).toEqual([5, 'standard', 990]);
  await ask({ add: [{ productVariantId: house250, quantity: 1 }] });
  expect(state()).toEqual([5, 'standard', 990]);
});
