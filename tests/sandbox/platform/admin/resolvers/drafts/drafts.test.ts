import { describe, expect, test } from '@jest/globals';
import { addLine, commit, decaf, errors, house500, lineIds, open, update } from '../../draft-steps.ts';
import { absent, monthly, newPlatform, weekly } from '../../harness.ts';

describe('opening and committing', () => {
  test('an absent contract and an absent draft are user errors', async () => {
    const platform = newPlatform();
    const opened = await platform.run(
      `{ subscriptionContractUpdate(contractId: "${absent}") { draft { id } ${errors} } }`,
    );
    expect(opened).toMatchObject({ draft: null, userErrors: [{ field: ['contractId'], code: 'INVALID' }] });
    expect((await commit(platform, 'gid://shopify/SubscriptionDraft/1')).userErrors).toMatchObject([
      { field: ['draftId'] },
    ]);
  });

  test('nothing of a draft shows on the contract before its commit', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await update(platform, draftId, 'note: "Leave it at the door"');
    expect(
      (await platform.data(`{ subscriptionContract(id: "${weekly}") { note } }`)).subscriptionContract.note,
    ).toBeNull();
    expect((await commit(platform, draftId, 'note')).contract).toEqual({ note: 'Leave it at the door' });
  });

  test('a second commit is COMMITTED, and so is a change after it', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await commit(platform, draftId);
    expect((await commit(platform, draftId)).userErrors).toMatchObject([{ code: 'COMMITTED' }]);
    expect((await update(platform, draftId, 'note: "late"')).userErrors).toMatchObject([
      { code: 'COMMITTED' },
    ]);
  });

  test('the slower of two drafts is STALE_CONTRACT and changes nothing', async () => {
    const platform = newPlatform();
    const [first, second] = [await open(platform), await open(platform)];
    await update(platform, first, 'note: "first"');
    await update(platform, second, 'note: "second"');
    await commit(platform, first);
    expect(await commit(platform, second)).toMatchObject({
      contract: null,
      userErrors: [{ code: 'STALE_CONTRACT' }],
    });
    expect(
      (await platform.data(`{ subscriptionContract(id: "${weekly}") { note } }`)).subscriptionContract.note,
    ).toBe('first');
  });

  test('a pause in between makes it stale too', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await platform.run(`{ subscriptionContractPause(subscriptionContractId: "${weekly}") { ${errors} } }`);
    expect((await commit(platform, draftId)).userErrors).toMatchObject([{ code: 'STALE_CONTRACT' }]);
  });
});

describe('lines', () => {
  test.each([
    [`productVariantId: "${decaf}", quantity: 0, currentPrice: 5`, 'GREATER_THAN_OR_EQUAL_TO', 'quantity'],
    [
      `productVariantId: "${decaf}", quantity: 1, currentPrice: -1`,
      'GREATER_THAN_OR_EQUAL_TO',
      'currentPrice',
    ],
    [
      'productVariantId: "gid://shopify/ProductVariant/1", quantity: 1, currentPrice: 5',
      'INVALID',
      'productVariantId',
    ],
    [
      `productVariantId: "${decaf}", quantity: 1, currentPrice: 5, sellingPlanId: "gid://shopify/SellingPlan/1"`,
      'INVALID',
      'sellingPlanId',
    ],
  ])('%s: %s', async (input, code, field) => {
    const platform = newPlatform();
    const added = await addLine(platform, await open(platform), input);
    expect(added).toMatchObject({ lineAdded: null, userErrors: [{ code, field: ['input', field] }] });
  });

  test('adds, changes and removes lines in one commit', async () => {
    const platform = newPlatform();
    const [first = ''] = await lineIds(platform, monthly);
    const draftId = await open(platform, monthly);
    const { lineAdded } = await addLine(
      platform,
      draftId,
      `productVariantId: "${decaf}", quantity: 3, currentPrice: "13.50"`,
    );
    expect(lineAdded).toMatchObject({
      title: 'Night Watch Decaf',
      quantity: 3,
      currentPrice: { amount: '13.5' },
    });
    expect(lineAdded.id).toMatch(
      /^gid:\/\/shopify\/SubscriptionLine\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const changed = await platform.run(
      `{ subscriptionDraftLineUpdate(draftId: "${draftId}", lineId: "${lineAdded.id}", input: { quantity: 2, productVariantId: "${house500}" }) { lineUpdated { variantTitle quantity currentPrice { amount } } ${errors} } }`,
    );
    expect(changed.lineUpdated).toEqual({
      variantTitle: '500 g',
      quantity: 2,
      currentPrice: { amount: '13.5' },
    });
    const removal = `{ subscriptionDraftLineRemove(draftId: "${draftId}", lineId: "${first}") { lineRemoved { id } draft { linesAdded(first: 5) { nodes { id } } linesRemoved(first: 5) { nodes { id } } } ${errors} } }`;
    const { draft } = await platform.run(removal);
    expect(draft).toEqual({
      linesAdded: { nodes: [{ id: lineAdded.id }] },
      linesRemoved: { nodes: [{ id: first }] },
    });
    expect((await platform.run(removal)).userErrors).toMatchObject([{ code: 'ALREADY_REMOVED' }]);
    const { contract } = await commit(
      platform,
      draftId,
      'lines(first: 5) { nodes { id } } linesCount { count }',
    );
    expect(contract.linesCount.count).toBe(2);
    expect(contract.lines.nodes).not.toContainEqual({ id: first });
  });

  test('a contract without lines is INVALID_LINES', async () => {
    const platform = newPlatform();
    const [only = ''] = await lineIds(platform, weekly);
    const draftId = await open(platform);
    await platform.run(
      `{ subscriptionDraftLineRemove(draftId: "${draftId}", lineId: "${only}") { ${errors} } }`,
    );
    expect((await commit(platform, draftId)).userErrors).toMatchObject([{ code: 'INVALID_LINES' }]);
  });

  test('changes a product in one go', async () => {
    const platform = newPlatform();
    const [line = ''] = await lineIds(platform, weekly);
    const change = (lineId: string) =>
      `{ subscriptionContractProductChange(subscriptionContractId: "${weekly}", lineId: "${lineId}", actor: MERCHANT, input: { productVariantId: "${house500}", currentPrice: 23.4 }) { contract { id } lineUpdated { id variantTitle currentPrice { amount } } ${errors} } }`;
    expect((await platform.run(change(line))).lineUpdated).toEqual({
      id: line,
      variantTitle: '500 g',
      currentPrice: { amount: '23.4' },
    });
    expect((await platform.run(change('gid://shopify/SubscriptionLine/none'))).userErrors).toMatchObject([
      { field: ['lineId'] },
    ]);
  });
});
