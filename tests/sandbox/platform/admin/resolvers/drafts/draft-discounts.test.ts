import { describe, expect, test } from '@jest/globals';
import { commit, errors, lineIds, open } from '../../draft-steps.ts';
import { monthly, newPlatform, type Platform } from '../../harness.ts';

describe('discounts', () => {
  const apply = (platform: Platform, draftId: string, code: string) =>
    platform.run(
      `{ subscriptionDraftDiscountCodeApply(draftId: "${draftId}", redeemCode: "${code}") { appliedDiscount { id redeemCode rejectionReason } ${errors} } }`,
    );

  test.each([
    ['WELCOME10', null],
    ['SPRING20', 'CURRENTLY_INACTIVE'],
    ['GONE50', 'USAGE_LIMIT_REACHED'],
    ['NOSUCH', 'NOT_FOUND'],
  ])('the code %s is taken, with the reason %s', async (code, rejectionReason) => {
    const platform = newPlatform();
    const applied = await apply(platform, await open(platform), code);
    expect(applied).toMatchObject({ appliedDiscount: { redeemCode: code, rejectionReason }, userErrors: [] });
  });

  test('a code that counts takes its share off the lines, and can be removed', async () => {
    const platform = newPlatform();
    const one = await open(platform);
    await apply(platform, one, 'welcome10');
    const { contract } = await commit(
      platform,
      one,
      'discounts(first: 5) { nodes { id type title } } lines(first: 1) { nodes { lineDiscountedPrice { amount } discountAllocations { amount { amount } } } }',
    );
    expect(contract.lines.nodes).toEqual([
      { lineDiscountedPrice: { amount: '10.71' }, discountAllocations: [{ amount: { amount: '1.19' } }] },
    ]);
    expect(contract.discounts.nodes).toMatchObject([{ type: 'CODE_DISCOUNT', title: 'WELCOME10' }]);
    const two = await open(platform);
    const remove = `{ subscriptionDraftDiscountRemove(draftId: "${two}", discountId: "${contract.discounts.nodes[0].id}") { draft { discountsRemoved(first: 5) { nodes { __typename } } } ${errors} } }`;
    expect((await platform.run(remove)).draft.discountsRemoved.nodes).toEqual([
      { __typename: 'SubscriptionAppliedCodeDiscount' },
    ]);
    expect((await platform.run(remove)).userErrors).toMatchObject([{ code: 'ALREADY_REMOVED' }]);
    expect(
      (await commit(platform, two, 'discounts(first: 5) { nodes { id } }')).contract.discounts.nodes,
    ).toEqual([]);
  });

  test('counts the payments of a code from zero when it was removed and is applied again', async () => {
    const platform = newPlatform();
    const selection = 'discounts(first: 5) { nodes { id title recurringCycleLimit usageCount } }';
    const one = await open(platform, monthly);
    await apply(platform, one, 'twice20');
    const before = (await commit(platform, one, selection)).contract.discounts.nodes;
    const [record] = [...platform.store().contracts.values()].flatMap(({ content }) => content.discounts);
    if (record !== undefined) record.usageCount = 2;
    const two = await open(platform, monthly);
    await platform.run(
      `{ subscriptionDraftDiscountRemove(draftId: "${two}", discountId: "${before[0].id}") { ${errors} } }`,
    );
    await apply(platform, two, 'TWICE20');
    const after = (await commit(platform, two, selection)).contract.discounts.nodes;
    expect(before).toMatchObject([{ title: 'TWICE20', recurringCycleLimit: 2, usageCount: 0 }]);
    expect(after).toMatchObject([{ title: 'TWICE20', recurringCycleLimit: 2, usageCount: 0 }]);
    expect(after[0].id).not.toBe(before[0].id);
  });

  test('a rejected code takes nothing off', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await apply(platform, draftId, 'SPRING20');
    const { contract } = await commit(
      platform,
      draftId,
      'lines(first: 1) { nodes { lineDiscountedPrice { amount } } }',
    );
    expect(contract.lines.nodes).toEqual([{ lineDiscountedPrice: { amount: '11.9' } }]);
  });

  test.each([
    ['title: "nothing"', 'PRESENCE'],
    ['value: { percentage: 101 }', 'NOT_IN_RANGE'],
    ['value: { fixedAmount: { amount: 0 } }', 'GREATER_THAN'],
    ['value: { percentage: 5 }, entitledLines: { lines: { add: [] } }', 'NO_ENTITLED_LINES'],
    [
      'value: { percentage: 5 }, entitledLines: { lines: { add: ["gid://shopify/SubscriptionLine/none"] } }',
      'INVALID',
    ],
  ])('%s: %s', async (input, code) => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const added = await platform.run(
      `{ subscriptionDraftDiscountAdd(draftId: "${draftId}", input: { ${input} }) { discountAdded { id } ${errors} } }`,
    );
    expect(added).toMatchObject({ discountAdded: null, userErrors: [{ code }] });
  });

  test('by hand: for one line, changed, and narrowed when the line goes', async () => {
    const platform = newPlatform();
    const [first = '', second = ''] = await lineIds(platform, monthly);
    const draftId = await open(platform, monthly);
    const { discountAdded } = await platform.run(
      `{ subscriptionDraftDiscountAdd(draftId: "${draftId}", input: { title: "Sorry", value: { fixedAmount: { amount: 2, appliesOnEachItem: true } }, entitledLines: { lines: { add: ["${first}", "${second}"] } } }) { discountAdded { id entitledLines { all lines(first: 5) { nodes { id } } } } ${errors} } }`,
    );
    expect(discountAdded.entitledLines).toEqual({
      all: false,
      lines: { nodes: [{ id: first }, { id: second }] },
    });
    const updated = await platform.run(
      `{ subscriptionDraftDiscountUpdate(draftId: "${draftId}", discountId: "${discountAdded.id}", input: { value: { percentage: 50 } }) { discountUpdated { value { ... on SubscriptionDiscountPercentageValue { percentage } } } ${errors} } }`,
    );
    expect(updated.discountUpdated.value).toEqual({ percentage: 50 });
    const removed = await platform.run(
      `{ subscriptionDraftLineRemove(draftId: "${draftId}", lineId: "${second}") { discountsUpdated { id entitledLines { lines(first: 5) { nodes { id } } } } ${errors} } }`,
    );
    expect(removed.discountsUpdated).toEqual([
      { id: discountAdded.id, entitledLines: { lines: { nodes: [{ id: first }] } } },
    ]);
  });

  test('a manual discount whose last line goes stops the commit until it is removed too', async () => {
    const platform = newPlatform();
    const [first = ''] = await lineIds(platform, monthly);
    const draftId = await open(platform, monthly);
    const { discountAdded } = await platform.run(
      `{ subscriptionDraftDiscountAdd(draftId: "${draftId}", input: { value: { percentage: 50 }, entitledLines: { lines: { add: ["${first}"] } } }) { discountAdded { id } ${errors} } }`,
    );
    const remove = `subscriptionDraftLineRemove(draftId: "${draftId}", lineId: "${first}") { ${errors} }`;
    expect((await platform.run(`{ ${remove} }`)).userErrors).toEqual([]);
    const codes = async () =>
      (await commit(platform, draftId)).userErrors.map(({ code }: { code: string }) => code);
    expect(await codes()).toEqual(['NO_ENTITLED_LINES']);
    await platform.run(
      `{ subscriptionDraftDiscountRemove(draftId: "${draftId}", discountId: "${discountAdded.id}") { ${errors} } }`,
    );
    expect(await codes()).toEqual([]);
  });

  test('adds a discount of free shipping, which takes no percentage', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const { discountAdded } = await platform.run(
      `{ subscriptionDraftFreeShippingDiscountAdd(draftId: "${draftId}", input: { title: "Free" }) { discountAdded { id targetType } ${errors} } }`,
    );
    expect(discountAdded.targetType).toBe('SHIPPING_LINE');
    const { userErrors } = await platform.run(
      `{ subscriptionDraftDiscountUpdate(draftId: "${draftId}", discountId: "${discountAdded.id}", input: { value: { percentage: 33 } }) { ${errors} } }`,
    );
    expect(userErrors).toMatchObject([{ code: 'INVALID' }]);
  });
});
