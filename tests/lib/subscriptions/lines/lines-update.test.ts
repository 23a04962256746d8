/**
 * The specific behaviour of a change of lines: prices, rejections with the path of the client's argument, and retries.
 */
import { describe, expect, test } from '@jest/globals';
import { UTC } from '../../../../lib/domain/time-zone.ts';
import { createTranslator } from '../../../../lib/messages/translator.ts';
import { lineChangeMessages } from '../../../../lib/timeline/present/event-message.ts';
import type { ContractRecord, DiscountRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { discountByHand } from '../../../contract/world/discount-by-hand.ts';
import {
  decaf250,
  draftProduct,
  filters100,
  house250,
  house500,
  LINES,
  lineId,
  linesOf,
  mug,
  weeklyPlan,
} from '../../../contract/world/lines-operation.ts';
import { createOperationWorld, gid, type OperationWorld } from '../../../contract/world/operation-world.ts';
import { type Lines, REFUSED } from './lines-refusals.ts';

const translate = await createTranslator('EN', UTC);
const WEEKLY = 9_101_001;
const MONTHLY = 9_101_002;

/** Ada changes lines of one of her contracts. */
function ask(
  world: OperationWorld,
  { contract, lines, as = 'customer' }: { contract: ContractRecord; lines: Lines; as?: 'customer' | 'store' },
) {
  const contractId = gid('SubscriptionContract', contract.id);
  return world.run({ as, query: LINES, variables: { contractId, ...lines } });
}

function begin(id = WEEKLY) {
  const world = createOperationWorld();
  const contract = world.contract(id);
  return {
    world,
    contract,
    ask: (lines: Lines, as?: 'customer' | 'store') => ask(world, { contract, lines, ...(as && { as }) }),
  };
}

const errorsOf = (payload: { userErrors: { field: string[]; code: string }[] }) =>
  payload.userErrors.map(({ field, code }) => [field?.join('.') ?? null, code]);

describe('one commit', () => {
  test('adds, changes and removes lines together, and records each of them', async () => {
    const { contract, ask } = begin(MONTHLY);
    const [first, second] = [lineId(contract, 0), lineId(contract, 1)];
    const { payload, recorded, sent } = await ask({
      add: [{ productVariantId: decaf250, quantity: 2 }],
      update: [{ lineId: first, quantity: 5 }],
      remove: [second],
    });
    expect(payload.userErrors).toEqual([]);
    expect(linesOf(contract)).toEqual([
      [810100102, 5, 2340],
      [810100201, 2, 1350],
    ]);
    expect(sent).toHaveLength(6);
    expect(translate(lineChangeMessages(recorded[0]?.changes ?? []) ?? '')).toBe(
      'removed Filter Papers, 100 sheets, changed the quantity of Harbor House Blend, 500 g from 2 to 5 and added 2 × Night Watch Decaf, 250 g',
    );
    const added = contract.content.lines[1]?.id;
    expect(recorded).toMatchObject([{ action: 'subscription_lines_updated', outcome: 'done' }]);
    expect(recorded[0]?.changes.map(({ field, before, after }) => [field, before, after])).toEqual([
      [`lines.${second.split('/').at(-1)}.quantity`, '1', null],
      [`lines.${second.split('/').at(-1)}.variantId`, '810100301', null],
      [`lines.${second.split('/').at(-1)}.currentPrice`, '5.4 USD', null],
      [`lines.${second.split('/').at(-1)}.sellingPlanId`, expect.any(String), null],
      [`lines.${first.split('/').at(-1)}.quantity`, '2', '5'],
      [`lines.${added}.quantity`, null, '2'],
      [`lines.${added}.variantId`, null, '810100201'],
      [`lines.${added}.currentPrice`, null, '13.5 USD'],
      [`lines.${added}.sellingPlanId`, null, expect.any(String)],
    ]);
  });

  test('refuses all changes when one line is refused, and returns each error at its argument', async () => {
    const { contract, ask } = begin(MONTHLY);
    const before = structuredClone(contract);
    const { payload, sent, recorded } = await ask({
      add: [
        { productVariantId: decaf250, quantity: 1 },
        { productVariantId: mug, quantity: 1 },
      ],
      update: [{ lineId: lineId(contract, 0), productVariantId: draftProduct }],
      remove: [gid('SubscriptionLine', '00000000-0000-4000-a000-000000000000')],
    });
    expect(errorsOf(payload)).toEqual([
      ['remove.0', 'LINE_NOT_FOUND'],
      ['update.0.productVariantId', 'VARIANT_NOT_AVAILABLE'],
      ['add.1.productVariantId', 'VARIANT_NOT_AVAILABLE'],
    ]);
    expect(contract).toEqual(before);
    expect([sent.length, recorded]).toEqual([1, []]);
  });

  test('returns CONCURRENT_UPDATE at a line that is removed concurrently', async () => {
    const { world, contract, ask } = begin(MONTHLY);
    const line = lineId(contract, 1);
    world.fail({
      kind: 'stale',
      at: 'subscriptionDraftCommit',
      change: () => void contract.content.lines.pop(),
    });
    const { payload } = await ask({ update: [{ lineId: line, quantity: 4 }] });
    expect(errorsOf(payload)).toEqual([['update.0.lineId', 'CONCURRENT_UPDATE']]);
    expect(linesOf(contract)).toEqual([[810100102, 2, 2340]]);
  });
});

describe('a discount by hand', () => {
  const discount = (id: string, more: Partial<DiscountRecord>) =>
    discountByHand({ id: `0f0f0f0f-0000-4000-a000-00000000000${id}`, ...more });

  test('removes discounts with their last line, in the same commit and entry, and keeps all others', async () => {
    const { contract, ask } = begin(MONTHLY);
    const [remaining, gone] = contract.content.lines.map(({ id }) => id);
    if (remaining === undefined || gone === undefined) throw new Error('two lines');
    contract.content.discounts = [
      discount('1', { lineIds: [gone], title: 'For <papers>' }),
      discount('2', { lineIds: [remaining, gone] }),
      discount('3', {}),
      discount('4', { lineIds: [gone] }),
      discount('5', { lineIds: [gone], type: 'CODE_DISCOUNT', redeemCode: 'X' }),
    ];
    const { payload, recorded, sent } = await ask({ remove: [lineId(contract, 1)] });
    expect(payload.userErrors).toEqual([]);
    expect(linesOf(contract)).toEqual([[810100102, 2, 2340]]);
    expect(contract.content.discounts.map(({ id }) => id.at(-1))).toEqual(['2', '3', '5']);
    expect(sent).toHaveLength(6);
    expect(recorded).toMatchObject([{ action: 'subscription_lines_updated', outcome: 'done' }]);
    expect(recorded[0]?.changes.map(({ field, before, after }) => [field, before, after])).toEqual([
      ['discounts.0f0f0f0f-0000-4000-a000-000000000001', 'For <papers>', null],
      ['discounts.0f0f0f0f-0000-4000-a000-000000000004', 'MANUAL', null],
      [`lines.${gone}.quantity`, '1', null],
      [`lines.${gone}.variantId`, expect.any(String), null],
      [`lines.${gone}.currentPrice`, '5.4 USD', null],
      [`lines.${gone}.sellingPlanId`, expect.any(String), null],
    ]);
    expect(translate(lineChangeMessages(recorded[0]?.changes ?? []) ?? '')).toBe(
      'removed the discount For &lt;papers>, removed a discount and removed Filter Papers, 100 sheets',
    );
  });

  test('reads and removes a discount that is added concurrently', async () => {
    const { world, contract, ask } = begin(MONTHLY);
    const gone = contract.content.lines[1]?.id ?? '';
    world.fail({
      kind: 'stale',
      at: 'subscriptionDraftCommit',
      change: () => void contract.content.discounts.push(discount('1', { lineIds: [gone] })),
    });
    const { payload } = await ask({ remove: [lineId(contract, 1)] });
    expect(payload.userErrors).toEqual([]);
    expect(contract.content.discounts).toEqual([]);
  });
});

describe('what the store gives', () => {
  const GIFT = discountByHand({ title: 'A gift', value: { percentage: 100 } });
  type World = ReturnType<typeof begin>;
  /** The second line of the two is given away. */
  const GIVEN: Record<string, (world: World) => void> = {
    'at a price of 0.00': ({ contract }) => {
      const [, line] = contract.content.lines;
      if (line) Object.assign(line, { currentPriceMinor: 0, pricingPolicy: null, sellingPlanId: null });
    },
    'by a discount of its own': ({ contract }) => {
      contract.content.discounts.push({ ...GIFT, lineIds: [contract.content.lines[1]?.id ?? ''] });
    },
    'by half': ({ contract }) => {
      const lineIds = [contract.content.lines[1]?.id ?? ''];
      contract.content.discounts.push({
        ...GIFT,
        value: { percentage: 50 },
        lineIds,
        recurringCycleLimit: 1,
      });
    },
    'with all others': ({ contract }) => {
      contract.content.discounts.push({ ...GIFT, recurringCycleLimit: 1 });
    },
    'by an amount for each': ({ contract }) => {
      const value = { amountMinor: 100_000, appliesOnEachItem: true };
      contract.content.discounts.push({ ...GIFT, value });
    },
  };

  test.each(Object.keys(GIVEN))('refuses a customer more of what the store gives %s', async (how) => {
    const world = begin(MONTHLY);
    GIVEN[how]?.(world);
    const { contract, ask } = world;
    const before = structuredClone(contract);
    const line = lineId(contract, 1);
    const isItsOwn = ['by a discount of its own', 'by half'].includes(how);
    const more = await ask({ update: [{ lineId: line, quantity: 500 }] });
    expect(errorsOf(more.payload)).toEqual([
      isItsOwn ? ['update.0.quantity', 'QUANTITY_INVALID'] : ['update.0', 'GOODS_WITHOUT_PRICE'],
    ]);
    if (how !== 'at a price of 0.00') {
      const other = await ask({ update: [{ lineId: line, productVariantId: house250 }] });
      expect(errorsOf(other.payload)).toEqual([
        isItsOwn
          ? ['update.0.productVariantId', 'VARIANT_NOT_AVAILABLE']
          : ['update.0', 'GOODS_WITHOUT_PRICE'],
      ]);
    }
    expect(contract.content).toEqual(before.content);
    // Less of it, and the store's own server, are free to do it.
    const byStore = await ask({ update: [{ lineId: line, quantity: 500 }] }, 'store');
    expect(errorsOf(byStore.payload)).toEqual([]);
    const less = await ask({ update: [{ lineId: line, quantity: 1 }] });
    expect(errorsOf(less.payload)).toEqual([]);
  });

  test('refuses to add a product that a discount of all lines makes free', async () => {
    const world = begin(MONTHLY);
    GIVEN['with all others']?.(world);
    const { payload } = await world.ask({ add: [{ productVariantId: decaf250, quantity: 50 }] });
    expect(errorsOf(payload)).toEqual([['add.0', 'GOODS_WITHOUT_PRICE']]);
  });

  test.each(['at a price of 0.00', 'by a discount of its own'])(
    'refuses to leave only what the store gives %s',
    async (how) => {
      const world = begin(MONTHLY);
      GIVEN[how]?.(world);
      const { contract, ask } = world;
      const { payload } = await ask({ remove: [lineId(contract, 0)] });
      expect(errorsOf(payload)).toEqual([['remove.0', 'GOODS_WITHOUT_PRICE']]);
      expect(payload.userErrors[0].message).toBe(
        'A subscription must have at least one product that is not free.',
      );
      expect(errorsOf((await ask({ remove: [lineId(contract, 0)] }, 'store')).payload)).toEqual([]);
    },
  );

  test.each(['at no price', 'by a discount of its own'])(
    'allows a customer to buy what the store gives %s on one more line, once',
    async (how) => {
      const world = begin(MONTHLY);
      const { contract, ask } = world;
      const [, gift] = contract.content.lines;
      if (gift === undefined) throw new Error('two lines');
      if (how === 'at no price') gift.currentPriceMinor = 0;
      else GIVEN[how]?.(world);
      const { currentPriceMinor, quantity } = gift;
      const add = { add: [{ productVariantId: filters100, quantity: 2 }] };
      expect(errorsOf((await ask(add)).payload)).toEqual([]);
      expect(linesOf(contract).slice(1)).toEqual([
        [810100301, quantity, currentPriceMinor],
        [810100301, 2, 540],
      ]);
      expect(errorsOf((await ask(add)).payload)).toEqual([['add.0.productVariantId', 'INVALID']]);
      const more = await ask({ update: [{ lineId: lineId(contract, 2), quantity: 3 }] });
      expect(errorsOf(more.payload)).toEqual([]);
      expect(contract.content.lines).toHaveLength(3);
    },
  );

  test('a discount that is used up gives nothing', async () => {
    const { contract, ask } = begin(MONTHLY);
    const lineIds = [contract.content.lines[1]?.id ?? ''];
    contract.content.discounts.push({ ...GIFT, lineIds, recurringCycleLimit: 1, usageCount: 1 });
    const { payload } = await ask({ update: [{ lineId: lineId(contract, 1), quantity: 3 }] });
    expect(errorsOf(payload)).toEqual([]);
  });
});

describe('refusals', () => {
  test.each(REFUSED)('%s', async (_name, lines, expected) => {
    const { contract, ask } = begin();
    const before = structuredClone(contract);
    const { payload, sent, recorded } = await ask(lines(lineId(contract)));
    expect(errorsOf(payload)).toEqual([expected]);
    expect(payload.contract).toBeNull();
    expect(contract).toEqual(before);
    expect([sent.length, recorded]).toEqual([1, []]);
  });

  test('returns a refusal of the platform at the client’s argument, never at a draft’s', async () => {
    const { contract, ask } = begin();
    const [line] = contract.content.lines;
    if (line === undefined) throw new Error('no line');
    for (let count = 1; count < 100; count++) contract.content.lines.push({ ...line, id: `filler-${count}` });
    const { payload } = await ask({ add: [{ productVariantId: decaf250, quantity: 1 }] });
    expect(payload.userErrors).toEqual([
      {
        field: ['add', '0'],
        code: 'INVALID',
        message: expect.stringContaining('has the maximum number of products'),
      },
    ]);
    expect(contract.content.lines).toHaveLength(100);
  });
});

test('five variants at a time fit into what a query may cost, for a customer too', async () => {
  const { world, ask } = begin();
  const add = Array.from({ length: 5 }, (_none, index) => ({
    productVariantId: gid('ProductVariant', index + 1),
    quantity: 1,
  }));
  // The second time the cost is known, and compared with the customer's share: of that, the first has left too little.
  for (let times = 0; times < 2; times++) {
    const { code, payload } = await world.withTranslation(() => ask({ add }));
    expect(code).toBeUndefined();
    expect(payload.userErrors).toHaveLength(5);
  }
});

test('fifty lines at a time fit into what a query may cost, for a customer too', async () => {
  const { world, contract, ask } = begin();
  const [line] = contract.content.lines;
  if (line === undefined) throw new Error('no line');
  for (let count = 1; count < 50; count++) contract.content.lines.push({ ...line, id: `line-${count}` });
  const all = contract.content.lines.map((_line, index) => ({ lineId: lineId(contract, index) }));
  for (const quantity of [2, 3]) {
    const update = all.map((one) => ({ ...one, quantity }));
    const { code, payload } = await world.withTranslation(() => ask({ update }));
    expect([code, payload.userErrors]).toEqual([undefined, []]);
  }
  expect(linesOf(contract).every(([, quantity]) => quantity === 3)).toBe(true);
});

describe('prices', () => {
  test('keeps the price of an unchanged line, whatever the catalogue says now', async () => {
    const { world, contract, ask } = begin();
    for (const variant of world.platform.store().variants.values()) variant.priceMinor *= 3;
    const { payload } = await ask({ update: [{ lineId: lineId(contract), quantity: 2 }] });
    expect(payload.contract.lines.nodes).toMatchObject([
      { currentPrice: { amount: '11.9' }, lineDiscountedPrice: { amount: '23.8' } },
    ]);
  });

  test("a first order's discount is not won again by removing and adding", async () => {
    const { world, contract, ask } = begin();
    const plan = world.platform.store().sellingPlans.get(830100101);
    const [policy] = plan?.pricingPolicies ?? [];
    if (plan === undefined || policy === undefined) throw new Error('no plan');
    plan.pricingPolicies = [
      { ...policy, adjustmentValue: 50 },
      { ...policy, adjustmentValue: 10, afterCycle: 1 },
      { ...policy, adjustmentValue: 40, afterCycle: 12 },
    ];
    await ask({ remove: [lineId(contract)], add: [{ productVariantId: house250, quantity: 1 }] });
    expect(linesOf(contract)).toEqual([[810100101, 1, 1260]]);
    // The line stores the later steps.
    expect(contract.content.lines[0]?.pricingPolicy).toMatchObject({
      basePriceMinor: 1400,
      cycleDiscounts: [
        { afterCycle: 0, computedPriceMinor: 700 },
        { afterCycle: 1, computedPriceMinor: 1260 },
        { afterCycle: 12, computedPriceMinor: 840 },
      ],
    });
  });

  test('counts orders that are paid already, so that the next cycle decides', async () => {
    const { world, contract, ask } = begin();
    const plan = world.platform.store().sellingPlans.get(830100101);
    const [policy] = plan?.pricingPolicies ?? [];
    if (plan === undefined || policy === undefined) throw new Error('no plan');
    plan.pricingPolicies = [
      { ...policy, adjustmentValue: 10 },
      { ...policy, adjustmentValue: 20, afterCycle: 7 },
    ];
    contract.billedCycles.push(7);
    await ask({ update: [{ lineId: lineId(contract), productVariantId: house500 }] });
    expect(linesOf(contract)).toEqual([[810100102, 1, 2080]]);
  });

  test('gives a line without a plan the one of the same frequency', async () => {
    const { contract, ask } = begin();
    Object.assign(contract.content.lines[0] ?? {}, { sellingPlanId: null, sellingPlanName: null });
    const { payload } = await ask({ update: [{ lineId: lineId(contract), productVariantId: house500 }] });
    expect(payload.contract.lines.nodes).toMatchObject([{ sellingPlanId: weeklyPlan }]);
  });

  test('allows only quantities and removals in another currency than the shop’s', async () => {
    const { contract, ask } = begin(MONTHLY);
    contract.content.currencyCode = 'CAD';
    const [first, second] = [lineId(contract, 0), lineId(contract, 1)];
    const swapped = await ask({
      add: [{ productVariantId: decaf250, quantity: 1 }],
      update: [{ lineId: first, productVariantId: house250 }],
    });
    expect(errorsOf(swapped.payload)).toEqual([
      ['update.0.productVariantId', 'CURRENCY_NOT_SUPPORTED'],
      ['add.0.productVariantId', 'CURRENCY_NOT_SUPPORTED'],
    ]);
    const remaining = await ask({ update: [{ lineId: first, quantity: 4 }], remove: [second] });
    expect(remaining.payload.userErrors).toEqual([]);
    expect(linesOf(contract)).toEqual([[810100102, 4, 2340]]);
  });
});

test('a variant that is sold out may come in: it may be back before the next order', async () => {
  const { world, contract, ask } = begin();
  for (const variant of world.platform.store().variants.values()) variant.inventoryQuantity = 0;
  const { payload } = await ask({ update: [{ lineId: lineId(contract), productVariantId: decaf250 }] });
  expect(payload.userErrors).toEqual([]);
});

test('an addition that is sent again is refused, and nothing is added twice', async () => {
  const { contract, ask } = begin();
  const lines = { add: [{ productVariantId: filters100, quantity: 2 }] };
  expect((await ask(lines)).payload.userErrors).toEqual([]);
  const again = await ask(lines);
  expect(errorsOf(again.payload)).toEqual([['add.0.productVariantId', 'INVALID']]);
  expect(linesOf(contract)).toEqual([
    [810100101, 1, 1190],
    [810100301, 2, 510],
  ]);
});
