import { describe, expect, test } from '@jest/globals';
import { commit, errors, lineIds, open, update } from './draft-steps.ts';
import { absent, monthly, newPlatform, weekly } from './harness.ts';

describe('the contract of one cycle', () => {
  const edit = (contractId: string, selector: string) =>
    `{ subscriptionBillingCycleContractEdit(billingCycleInput: { contractId: "${contractId}", selector: ${selector} }) { draft { id billingCycle { cycleIndex } } ${errors} } }`;
  const commitCycle = (id: string) =>
    `{ subscriptionBillingCycleContractDraftCommit(draftId: "${id}") { contract { lines(first: 5) { nodes { quantity } } billingCycles(first: 2) { nodes { cycleIndex edited } } } ${errors} } }`;

  test.each([
    [absent, '{ index: 8 }', 'INVALID'],
    [weekly, '{ index: 0 }', 'CYCLE_SELECTOR_VALIDATE_ONE_OF'],
    [weekly, '{ index: 2 }', 'INVALID'],
  ])('%s %s: %s', async (contractId, selector, code) => {
    expect(await newPlatform().run(edit(contractId, selector))).toMatchObject({
      draft: null,
      userErrors: [{ code }],
    });
  });

  test('is changed for that cycle alone, blocks drafts of the contract, and can be taken back', async () => {
    const platform = newPlatform();
    const { draft } = await platform.run(edit(weekly, '{ index: 8 }'));
    expect(draft.billingCycle.cycleIndex).toBe(8);
    expect((await commit(platform, draft.id)).userErrors).toMatchObject([{ code: 'BILLING_CYCLE_PRESENT' }]);
    expect(
      (await update(platform, draft.id, 'billingPolicy: { interval: WEEK, intervalCount: 1 }')).userErrors,
    ).toMatchObject([{ code: 'BILLING_CYCLE_CONTRACT_DRAFT_BILLING_POLICY_INVALID' }]);
    const [line = ''] = await lineIds(platform, weekly);
    await platform.run(
      `{ subscriptionDraftLineUpdate(draftId: "${draft.id}", lineId: "${line}", input: { quantity: 4 }) { ${errors} } }`,
    );
    const { contract } = await platform.run(commitCycle(draft.id));
    expect(contract).toEqual({
      lines: { nodes: [{ quantity: 4 }] },
      billingCycles: { nodes: [{ cycleIndex: 8, edited: true }] },
    });
    const plain = await open(platform);
    expect((await commit(platform, plain)).userErrors).toMatchObject([{ code: 'HAS_FUTURE_EDITS' }]);
    expect((await platform.run(commitCycle(plain))).userErrors).toMatchObject([
      { code: 'BILLING_CYCLE_ABSENT' },
    ]);
    await platform.run(
      `{ subscriptionBillingCycleEditDelete(billingCycleInput: { contractId: "${weekly}", selector: { index: 8 } }) { ${errors} } }`,
    );
    expect((await commit(platform, await open(platform))).userErrors).toEqual([]);
  });

  test('cycles of other contracts join it, of the same customer only', async () => {
    const platform = newPlatform();
    const { draft } = await platform.run(edit(weekly, '{ index: 7 }'));
    const join = (contractId: string, index: number) =>
      platform.run(
        `{ subscriptionBillingCycleContractDraftConcatenate(draftId: "${draft.id}", concatenatedBillingCycleContracts: [{ contractId: "${contractId}", selector: { index: ${index} } }]) { draft { lines(first: 9) { nodes { title concatenatedOriginContract { id } } } concatenatedBillingCycles(first: 9) { nodes { cycleIndex } } } ${errors} } }`,
      );
    expect((await join('gid://shopify/SubscriptionContract/9101004', 3)).userErrors).toMatchObject([
      { code: 'CUSTOMER_MISMATCH' },
    ]);
    const joined = await join(monthly, 4);
    expect(joined.draft.lines.nodes).toHaveLength(3);
    expect(joined.draft.lines.nodes[2].concatenatedOriginContract).toEqual({ id: monthly });
    expect(joined.draft.concatenatedBillingCycles.nodes).toEqual([{ cycleIndex: 4 }]);
    expect((await join(monthly, 5)).userErrors).toMatchObject([{ code: 'DUPLICATE_CONCATENATED_CONTRACTS' }]);
  });
});
