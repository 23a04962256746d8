/** The service evaluates the contract that results from a customer's change: no change makes goods free. */
import { describe, expect, it } from '@jest/globals';
import type { ContractContent, DiscountRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, PREPAID_PLAN } from '../../world/interval-world.ts';
import { discountByHand } from '../world/discount-by-hand.ts';
import { decaf250, filters100, house250, LINES, lineId, linesOf } from '../world/lines-operation.ts';
import { type Acting, gid } from '../world/operation-world.ts';

/** House Blend, twice 23.40, and filter papers at 5.40; every month. */
const MONTHLY = 9_101_002;
/** Decaf at 13.50 every two weeks. */
const DECAF = 9_101_003;

const APPLY = `mutation ($contractId: ID!, $code: String!) {
  subscriptionContractDiscountCodeApply(contractId: $contractId, redeemCode: $code) { userErrors { field message code } }
}`;

/** Returns an amount off by hand, in cents: off all lines and every payment unless `more` says otherwise. */
function amountOff(amountMinor: number, more: Partial<DiscountRecord> = {}): DiscountRecord {
  const { length } = JSON.stringify(more);
  const id = `0f0f0f0f-0000-4000-a000-0000000${10_000 + length}`;
  return discountByHand({ id, value: { amountMinor, appliesOnEachItem: false }, ...more });
}

function begin(prepare: (content: ContractContent) => void, contractId = MONTHLY) {
  const world = createIntervalWorld({ table: createMemoryTable(), contract: contractId });
  const { contract } = world;
  prepare(contract.content);
  const ids = () => contract.content.lines.map((_line, index) => lineId(contract, index));
  /** Returns the field, the code and the lines of each refusal. */
  const outcomeOf = async (run: ReturnType<typeof world.ask>) => {
    const { payload, code, refusals } = await run;
    expect(code).toBeUndefined();
    return payload.userErrors.map((error: { field: string[] | null; code: string }, index: number) => [
      error.field?.join('.'),
      error.code,
      refusals[index]?.details?.lineIds,
    ]);
  };
  return {
    ...world,
    ids,
    lines: (change: object, as?: Acting) => outcomeOf(world.ask(LINES, change, as)),
    applyCode: (code: string, as?: Acting) => outcomeOf(world.ask(APPLY, { code }, as)),
    changeInterval: (change: object, as?: Acting) => outcomeOf(world.change(change, as)),
    /** The goods of the next payment, in cents after every discount, as the customer sees them. */
    async prices() {
      const query = `mutation ($contractId: ID!) { subscriptionContractNoteUpdate(contractId: $contractId) {
        contract { lines(first: 9) { nodes { lineDiscountedPrice { amount } } } } userErrors { code } } }`;
      const { payload } = await world.ask(query, {}, 'store');
      return payload.contract.lines.nodes.map(
        (line: { lineDiscountedPrice: { amount: string } }) => line.lineDiscountedPrice.amount,
      );
    },
    addCode: (code: string, percentage: number) =>
      void world.shop().discountCodes.set(code, { code, percentage, rejectionReason: null }),
  };
}

type World = ReturnType<typeof begin>;

const free = (field: string, ...lineIds: (string | undefined)[]) => [[field, 'GOODS_WITHOUT_PRICE', lineIds]];
const oneLine = (content: ContractContent) => void content.lines.splice(1);

const MONTH = { interval: { interval: 'MONTH', intervalCount: 1 } };
const monthly = (world: World) => world.changeInterval(MONTH);
const fewer = ({ lines, ids }: World) => lines({ update: [{ lineId: ids()[0], quantity: 1 }] });
const removeFirst = ({ lines, ids }: World) => lines({ remove: [ids()[0]] });

/** Sets the percentage off that the monthly plan of the decaf has. */
function setPlanDiscount(world: World, percentage: number) {
  const plan = world.shop().sellingPlans.get(830_100_103);
  if (plan)
    plan.pricingPolicies = plan.pricingPolicies.map((each) => ({ ...each, adjustmentValue: percentage }));
}

describe('an amount off by hand that covers what is left', () => {
  const ways: Record<string, readonly [number, (world: World, as: Acting) => Promise<unknown>, string]> = {
    'fewer pieces': [
      2340,
      ({ lines, ids }, as) => lines({ update: [{ lineId: ids()[0], quantity: 1 }] }, as),
      'update.0',
    ],
    'a swap for something cheaper': [
      1500,
      ({ lines, ids }, as) =>
        lines({ update: [{ lineId: ids()[0], quantity: 1, productVariantId: house250 }] }, as),
      'update.0',
    ],
  };

  it.each(
    Object.keys(ways).flatMap((way) =>
      (['customer', 'store for a customer'] as const).map((as) => [way, as] as const),
    ),
  )('refuses %s to a %s', async (way, as) => {
    const [amount, change, field] = ways[way] ?? [];
    const world = begin((content) => {
      oneLine(content);
      content.discounts.push(amountOff(amount ?? 0));
    });
    const before = structuredClone(world.contract.content);
    expect(await change?.(world, as)).toEqual(free(field ?? '', world.ids()[0]));
    expect(world.contract.content).toEqual(before);
    expect(await change?.(world, 'store')).toEqual([]);
    expect(await world.prices()).toEqual(['0.0']);
  });

  it('refuses to remove the line that cost more, and names the one that would be free', async () => {
    const world = begin((content) => void content.discounts.push(amountOff(1000)));
    const [expensive, papers] = world.ids();
    expect(await world.lines({ remove: [expensive] })).toEqual(free('remove.0', papers));
    expect(await world.lines({ remove: [expensive] }, 'store')).toEqual([]);
    expect(await world.prices()).toEqual(['0.0']);
  });

  it('refuses the last of three requests that replace the goods by cheaper ones', async () => {
    const world = begin((content) => {
      oneLine(content);
      content.discounts.push(amountOff(2000));
    });
    expect(await world.lines({ add: [{ productVariantId: filters100, quantity: 1 }] })).toEqual([]);
    const [expensive, papers] = world.ids();
    expect(await world.lines({ update: [{ lineId: expensive, quantity: 1 }] })).toEqual([]);
    expect(await world.lines({ remove: [expensive] })).toEqual(free('remove.0', papers));
    expect(Number((await world.prices())[0])).toBeGreaterThan(0);
  });

  it('refuses a code on top of it, at the code', async () => {
    const world = begin((content) => {
      oneLine(content);
      content.discounts.push(amountOff(4500));
    });
    world.addCode('TENTH', 10);
    expect(await world.applyCode('tenth')).toEqual(free('redeemCode', ...world.ids()));
    expect(world.contract.content.discounts).toHaveLength(1);
    expect(await world.applyCode('tenth', 'store')).toEqual([]);
  });

  it('refuses a plan under which the goods cost no more than it', async () => {
    const world = begin((content) => void content.discounts.push(amountOff(1300)), DECAF);
    setPlanDiscount(world, 20);
    expect(await world.changeInterval(MONTH)).toEqual(free('interval', ...world.ids()));
    expect(await world.changeInterval({ plan: gid('SellingPlan', 830_100_103) })).toEqual(
      free('sellingPlanId', ...world.ids()),
    );
    expect(await world.changeInterval(MONTH, 'store')).toEqual([]);
  });

  it('counts the whole payment of a prepaid subscription', async () => {
    const world = begin(() => {}, DECAF);
    expect(await world.changeInterval({ plan: PREPAID_PLAN })).toEqual([]);
    for (const line of world.contract.content.lines) line.quantity = 2;
    world.contract.content.discounts.push(amountOff(4050));
    const one = { update: [{ lineId: world.ids()[0], quantity: 1 }] };
    expect(await world.lines(one)).toEqual(free('update.0', ...world.ids()));
  });

  it('is read anew when the merchant gives it during the change', async () => {
    const world = begin(oneLine);
    world.fail({
      kind: 'stale',
      at: 'subscriptionDraftCommit',
      change: () => void world.contract.content.discounts.push(amountOff(2340)),
    });
    const [line] = world.ids();
    expect(await world.lines({ update: [{ lineId: line, quantity: 1 }] })).toEqual(free('update.0', line));
  });

  it('stays in the way with payments left to count, and no longer', async () => {
    const world = begin((content) => {
      oneLine(content);
      content.discounts.push(amountOff(2340, { recurringCycleLimit: 1 }));
    });
    const one = { update: [{ lineId: world.ids()[0], quantity: 1 }] };
    expect(await world.lines(one)).toEqual(free('update.0', ...world.ids()));
    for (const discount of world.contract.content.discounts) discount.usageCount = 1;
    expect(await world.lines(one)).toEqual([]);
  });
});

describe('a line at no price', () => {
  const given = (content: ContractContent) => {
    const [, papers] = content.lines;
    if (papers) Object.assign(papers, { currentPriceMinor: 0, pricingPolicy: null, quantity: 3 });
  };

  it('stays, may shrink and may go, and never grows back', async () => {
    const world = begin(given);
    const [expensive, papers] = world.ids();
    expect(await world.lines({ update: [{ lineId: expensive, quantity: 1 }] })).toEqual([]);
    expect(await world.lines({ update: [{ lineId: papers, quantity: 2 }] })).toEqual([]);
    expect(await world.lines({ update: [{ lineId: papers, quantity: 3 }] })).toEqual(
      free('update.0', papers),
    );
    expect(await world.lines({ update: [{ lineId: papers, quantity: 3 }] }, 'store')).toEqual([]);
    expect(await world.lines({ remove: [papers] })).toEqual([]);
  });

  it('is not all that is left', async () => {
    const world = begin(given);
    const [expensive, papers] = world.ids();
    expect(await world.lines({ remove: [expensive] })).toEqual(free('remove.0', papers));
    const { payload } = await world.ask(LINES, { remove: [expensive] });
    expect(payload.userErrors[0].message).toBe(
      'A subscription must have at least one product that is not free.',
    );
    expect(await world.lines({ remove: [expensive] }, 'store')).toEqual([]);
    // A subscription that costs nothing may be changed as long as it does not grow.
    expect(await world.lines({ update: [{ lineId: papers, quantity: 1 }] })).toEqual([]);
  });
});

describe('a code on a contract without discounts by hand', () => {
  it('may make goods free, and what is added to them', async () => {
    const world = begin(oneLine);
    world.addCode('ALL', 100);
    expect(await world.applyCode('all')).toEqual([]);
    expect(await world.lines({ add: [{ productVariantId: decaf250, quantity: 2 }] })).toEqual([]);
    expect(await world.prices()).toEqual(['0.0', '0.0']);
    expect(linesOf(world.contract)).toHaveLength(2);
  });

  it('makes no gift larger, and leaves no gift alone', async () => {
    const world = begin(({ lines: [, papers] }) => {
      if (papers) Object.assign(papers, { currentPriceMinor: 0, pricingPolicy: null });
    });
    const [expensive, papers] = world.ids();
    world.addCode('ALL', 100);
    expect(await world.applyCode('all')).toEqual([]);
    expect(await world.lines({ update: [{ lineId: papers, quantity: 2 }] })).toEqual(
      free('update.0', papers),
    );
    expect(await world.lines({ remove: [expensive] })).toEqual(free('remove.0', papers));
  });
});

describe('a discount that ends, or that a customer can remove, does not hide what the others cover:', () => {
  const trial = discountByHand({ value: { percentage: 100 }, recurringCycleLimit: 1 });
  const ALL = { ...trial, type: 'CODE_DISCOUNT', redeemCode: 'ALL' } as const;

  it.each([
    ['a code', ALL],
    ['a free trial', trial],
  ])('refuses fewer pieces than an amount leaves a price, during %s', async (_name, hiding) => {
    const world = begin((content) => {
      oneLine(content);
      const [line] = content.lines;
      if (line) line.quantity = 3;
      content.discounts.push(hiding, amountOff(2340));
    });
    const [line] = world.ids();
    expect(await world.prices()).toEqual(['0.0']);
    expect(await world.lines({ update: [{ lineId: line, quantity: 2 }] })).toEqual([]);
    expect(await world.lines({ update: [{ lineId: line, quantity: 1 }] })).toEqual(free('update.0', line));
    world.contract.content.discounts = [amountOff(2340)];
    expect(await world.prices()).toEqual(['23.4']);
  });

  it.each<[string, DiscountRecord, (content: ContractContent) => void]>([
    [
      'a product discounted by 100 %, during a code',
      ALL,
      (content: ContractContent) => {
        const lineIds = [content.lines[1]?.id ?? ''];
        const id = '0f0f0f0f-0000-4000-a000-000000000002';
        content.discounts.push(discountByHand({ id, value: { percentage: 100 }, lineIds }));
      },
    ],
    [
      'a line at no price, during a free trial',
      trial,
      ({ lines: [, papers] }: ContractContent) => {
        if (papers) Object.assign(papers, { currentPriceMinor: 0, pricingPolicy: null });
      },
    ],
    [
      'a line that an amount off covers, during a free trial',
      trial,
      ({ discounts }: ContractContent) => void discounts.push(amountOff(2000)),
    ],
    [
      'a line that an amount off covers for a year, during a free trial',
      trial,
      ({ discounts }: ContractContent) => void discounts.push(amountOff(2000, { recurringCycleLimit: 12 })),
    ],
  ])('refuses to leave %s alone', async (_name, hiding, give) => {
    const world = begin((content) => {
      give(content);
      content.discounts.push(hiding);
    });
    const [expensive, papers] = world.ids();
    expect(await world.lines({ remove: [expensive] })).toEqual(free('remove.0', papers));
    expect(await world.lines({ update: [{ lineId: expensive, quantity: 1 }] })).toEqual([]);
  });

  it('refuses a plan under which the goods cost nothing, during a free trial', async () => {
    const world = begin((content) => void content.discounts.push(trial), DECAF);
    setPlanDiscount(world, 100);
    expect(await world.changeInterval(MONTH)).toEqual(free('interval', ...world.ids()));
  });

  const TENTH: DiscountRecord = {
    ...ALL,
    ...{ id: '0f0f0f0f-0000-4000-a000-000000000002', redeemCode: 'TENTH' },
    ...{ recurringCycleLimit: null, value: { percentage: 10 } },
  };

  it('refuses a code that leaves no price beside an amount off, during a free trial', async () => {
    const world = begin((content) => {
      oneLine(content);
      content.discounts.push(trial, amountOff(4500));
    });
    world.addCode('TENTH', 10);
    expect(await world.applyCode('tenth')).toEqual(free('redeemCode', ...world.ids()));
    world.addCode('FEW', 1);
    expect(await world.applyCode('few')).toEqual([]);
  });

  it.each<[string, number, number, (world: World) => Promise<unknown>, string]>([
    ['fewer pieces', MONTHLY, 2200, fewer, 'update.0'],
    ['to remove the line that cost more', MONTHLY, 500, removeFirst, 'remove.0'],
    ['a cheaper plan', DECAF, 1150, monthly, 'interval'],
  ])('refuses %s that a code and an amount off cover, during a free trial', async (...row) => {
    const [, contractId, amount, change, field] = row;
    const covered = (...hiding: DiscountRecord[]) => {
      const world = begin((content) => void content.discounts.push(amountOff(amount), ...hiding), contractId);
      if (change === fewer) oneLine(world.contract.content);
      setPlanDiscount(world, 20);
      return world;
    };
    const world = covered(TENTH, trial);
    const left = world.ids().slice(change === removeFirst ? 1 : 0);
    expect(await change(world)).toEqual(free(field, ...left));
    expect(await change(covered(trial))).toEqual([]);
    // The code ends before the trial does: it never covers anything together with the amount.
    const short = { ...TENTH, recurringCycleLimit: 2, usageCount: 1 };
    expect(await change(covered(short, { ...trial, recurringCycleLimit: 2 }))).toEqual([]);
  });

  it('refuses what an amount off covers together with one of two codes, which the customer may keep', async () => {
    const world = begin((content) => {
      oneLine(content);
      const largestDiscount = { ...TENTH, id: '0f0f0f0f-0000-4000-a000-000000000003', redeemCode: 'MOST' };
      content.discounts.push(TENTH, { ...largestDiscount, value: { percentage: 90 } }, amountOff(2200));
    });
    expect(await fewer(world)).toEqual(free('update.0', ...world.ids()));
  });

  it('tries each of many codes alone, and not every choice of them', async () => {
    const world = begin((content) => {
      oneLine(content);
      const codes = Array.from({ length: 6 }, (_, number) => ({
        ...TENTH,
        ...{ id: `0f0f0f0f-0000-4000-a000-00000000001${number}`, redeemCode: `CODE${number}` },
      }));
      content.discounts.push(trial, amountOff(10), ...codes);
    });
    const { sent } = await world.ask(LINES, { update: [{ lineId: world.ids()[0], quantity: 1 }] });
    const drafts = sent.flat().filter((root) => root === 'subscriptionContractUpdate').length;
    // Two times (now, and after the trial), each with no code, one of six, or all.
    expect(drafts).toBeLessThanOrEqual(1 + 2 * 8);
    expect(drafts).toBeGreaterThan(2);
  });

  it('advises to remove the code only where that helps after the trial', async () => {
    const messageWith = async (amount: number) => {
      const world = begin((content) => {
        oneLine(content);
        content.discounts.push(TENTH, trial, amountOff(amount));
      });
      const { payload } = await world.ask(LINES, { update: [{ lineId: world.ids()[0], quantity: 1 }] });
      return payload.userErrors[0]?.message;
    };
    expect(await messageWith(2200)).toContain('Remove the code first');
    expect(await messageWith(2340)).toContain('would be free. Ask the store');
  });

  it('takes another draft only while something is free by it', async () => {
    const world = begin((content) => void content.discounts.push(ALL, amountOff(100)));
    /** The drafts that are opened: one is changed, the others are only compared. */
    const draftsFor = async (quantity: number) => {
      const { sent } = await world.ask(LINES, { update: [{ lineId: world.ids()[0], quantity }] });
      return sent.flat().filter((root) => root === 'subscriptionContractUpdate').length;
    };
    expect(await draftsFor(1)).toBe(2);
    world.contract.content.discounts = [{ ...ALL, value: { percentage: 50 } }, amountOff(100)];
    expect(await draftsFor(2)).toBe(1);
  });

  it('repeats the removal of another discount without it', async () => {
    const world = begin((content) => {
      const lineIds = [content.lines[1]?.id ?? ''];
      const own = discountByHand({ value: { percentage: 100 }, lineIds, recurringCycleLimit: 2 });
      content.discounts.push({ ...own, id: '0f0f0f0f-0000-4000-a000-000000000002' }, trial, amountOff(100));
    });
    expect(await world.lines({ remove: [world.ids()[1]] })).toEqual([]);
  });
});

describe('goods that are free for some payments', () => {
  const covering = (more: Partial<DiscountRecord>) =>
    begin((content) => void content.discounts.push(amountOff(100_000, more)), DECAF);

  it('are no more when a payment is for more deliveries', async () => {
    const world = covering({ recurringCycleLimit: 1 });
    expect(await world.changeInterval({ plan: PREPAID_PLAN })).toEqual(free('sellingPlanId', ...world.ids()));
  });

  it('may be when they are free for all payments: a delivery has no more of them', async () => {
    expect(await covering({}).changeInterval({ plan: PREPAID_PLAN })).toEqual([]);
  });
});

it('asks to contact the store where the goods would have no price without the code either', async () => {
  const world = begin((content) => {
    oneLine(content);
    content.discounts.push(amountOff(2340));
  });
  world.addCode('TENTH', 10);
  expect(await world.applyCode('tenth')).toEqual([]);
  const { payload } = await world.ask(LINES, { update: [{ lineId: world.ids()[0], quantity: 1 }] });
  expect(payload.userErrors).toEqual([
    {
      field: ['update', '0'],
      code: 'GOODS_WITHOUT_PRICE',
      message:
        'With this change, Harbor House Blend, 500 g would be free. Ask the store to make this change.',
    },
  ]);
});

it('advises to remove the code that leaves no price together with an amount off by hand', async () => {
  const world = begin((content) => {
    oneLine(content);
    content.discounts.push(amountOff(1300));
  });
  world.addCode('HALF', 50);
  expect(await world.applyCode('half')).toEqual([]);
  const one = { update: [{ lineId: world.ids()[0], quantity: 1 }] };
  const { payload } = await world.ask(LINES, one);
  expect(payload.userErrors).toEqual([
    {
      field: ['update', '0'],
      code: 'GOODS_WITHOUT_PRICE',
      message:
        'With this change, the discount code would make Harbor House Blend, 500 g free. Remove the code first, or ask the store to make this change.',
    },
  ]);
  const id = world.contract.content.discounts.find(({ redeemCode }) => redeemCode !== null)?.id;
  const REMOVE = `mutation ($contractId: ID!, $id: ID!) {
    subscriptionContractDiscountRemove(contractId: $contractId, discountId: $id) { userErrors { code } } }`;
  const removed = await world.ask(REMOVE, { id: gid('SubscriptionManualDiscount', id ?? '') });
  expect(removed.payload.userErrors).toEqual([]);
  expect(await world.lines(one)).toEqual([]);
});

it('names the product that would cost nothing, and says what to do', async () => {
  const world = begin(
    (content) => void content.discounts.push(amountOff(100_000, { recurringCycleLimit: 1 })),
  );
  world.contract.content.discounts = [discountByHand({ value: { percentage: 100 }, recurringCycleLimit: 1 })];
  const { payload } = await world.ask(LINES, { add: [{ productVariantId: decaf250, quantity: 1 }] });
  expect(payload.userErrors).toEqual([
    {
      field: ['add', '0'],
      code: 'GOODS_WITHOUT_PRICE',
      message: 'With this change, Night Watch Decaf, 250 g would be free. Ask the store to make this change.',
    },
  ]);
});

it('refuses customers a contract with more lines than one page, which a key may change', async () => {
  const world = begin((content) => {
    const [line] = content.lines;
    if (line)
      content.lines = Array.from({ length: 251 }, (_none, index) => ({ ...line, id: `line-${index}` }));
  });
  const change = { update: [{ lineId: world.ids()[0], quantity: 3 }] };
  const { payload } = await world.ask(LINES, change);
  expect(payload.userErrors).toEqual([
    {
      field: ['contractId'],
      code: 'INVALID',
      message: 'The subscription has more than 250 lines. Ask the store to make this change.',
    },
  ]);
  expect(await world.lines(change, 'store')).toEqual([]);
});
