import { describe, expect, test } from '@jest/globals';
import { addLine, commit, decaf, errors, update } from '../../draft-steps.ts';
import { ada, harbor, newPlatform } from '../../harness.ts';

describe('new contracts', () => {
  const frequency =
    'billingPolicy: { interval: MONTH, intervalCount: 1 }, deliveryPolicy: { interval: MONTH, intervalCount: 1 }';
  const shipping =
    'deliveryMethod: { shipping: { address: { address1: "8 Wharf Street", city: "Portland", countryCode: US } } }';
  const create = (input: string, contract = `${frequency}, ${shipping}`) =>
    `{ subscriptionContractAtomicCreate(input: { customerId: "${ada}", currencyCode: USD, nextBillingDate: "2026-12-21T00:00:00Z", contract: { ${contract} }, ${input} }) { contract { id status customer { id } lines(first: 5) { nodes { title } } discounts(first: 5) { nodes { title } } } ${errors} } }`;

  test.each([
    ['lines: []', 'INVALID_LINES'],
    [
      `lines: [{ line: { productVariantId: "${decaf}", quantity: 0, currentPrice: 1 } }]`,
      'GREATER_THAN_OR_EQUAL_TO',
    ],
  ])('%s: %s', async (input, code) => {
    const platform = newPlatform();
    const before = platform.store(harbor).contracts.size;
    expect(await platform.run(create(input))).toMatchObject({ contract: null, userErrors: [{ code }] });
    expect(platform.store(harbor).contracts.size).toBe(before);
  });

  test('creates a contract in one go, with discounts and codes; its first cycle starts now', async () => {
    const platform = newPlatform();
    const line = `{ line: { productVariantId: "${decaf}", quantity: 1, currentPrice: 15 }, discounts: [{ title: "Hello", value: { percentage: 10 } }] }`;
    const { contract } = await platform.run(create(`lines: [${line}], discountCodes: ["WELCOME10"]`));
    expect(contract).toMatchObject({
      status: 'ACTIVE',
      customer: { id: ada },
      lines: { nodes: [{ title: 'Night Watch Decaf' }] },
    });
    expect(contract.discounts.nodes.map(({ title }: { title: string }) => title)).toEqual([
      'Hello',
      'WELCOME10',
    ]);
    const { subscriptionBillingCycles } = await platform.data(
      `{ subscriptionBillingCycles(contractId: "${contract.id}", first: 1) { nodes { cycleStartAt cycleEndAt } } }`,
    );
    expect(subscriptionBillingCycles.nodes).toEqual([
      { cycleStartAt: '2026-11-21T08:30:00Z', cycleEndAt: '2026-12-21T08:00:00Z' },
    ]);
  });

  test('creates a contract by a draft', async () => {
    const platform = newPlatform();
    const { draft } = await platform.run(
      `{ subscriptionContractCreate(input: { customerId: "${ada}", currencyCode: CAD, nextBillingDate: "2026-12-21T00:00:00Z", contract: { ${frequency} } }) { draft { id currencyCode originalContract { id } } ${errors} } }`,
    );
    expect(draft).toMatchObject({ currencyCode: 'CAD', originalContract: null });
    await addLine(platform, draft.id, `productVariantId: "${decaf}", quantity: 1, currentPrice: 15`);
    expect((await commit(platform, draft.id)).userErrors).toMatchObject([
      { code: 'DELIVERY_METHOD_REQUIRED' },
    ]);
    await update(platform, draft.id, shipping);
    expect(
      (
        await commit(
          platform,
          draft.id,
          'currencyCode lines(first: 1) { nodes { currentPrice { currencyCode } } }',
        )
      ).contract,
    ).toEqual({
      currencyCode: 'CAD',
      lines: { nodes: [{ currentPrice: { currencyCode: 'CAD' } }] },
    });
  });

  test.each([
    ['customerId: "gid://shopify/Customer/1", currencyCode: USD', 'CUSTOMER_DOES_NOT_EXIST'],
    [`customerId: "${ada}", currencyCode: JPY`, 'CURRENCY_NOT_ENABLED'],
  ])('%s: %s', async (input, code) => {
    const created = await newPlatform().run(
      `{ subscriptionContractCreate(input: { ${input}, nextBillingDate: "2026-12-21T00:00:00Z", contract: { ${frequency} } }) { draft { id } ${errors} } }`,
    );
    expect(created).toMatchObject({ draft: null, userErrors: [{ code }] });
  });
});
