import { describe, expect, test } from '@jest/globals';
import {
  absent,
  ada,
  ben,
  dan,
  failed,
  juniper,
  monthly,
  newPlatform,
  type Platform,
  paused,
  weekly,
} from '../../harness.ts';

async function listed(platform: Platform, query: string, rest = '') {
  const { subscriptionContracts } = await platform.data(
    `query ($query: String) { subscriptionContracts(first: 250, query: $query ${rest}) { nodes { id } } }`,
    { query },
  );
  return subscriptionContracts.nodes.map(({ id }: { id: string }) => Number(id.split('/').at(-1)));
}

describe('reading', () => {
  test('a customer has their contracts with lines, picture, price, address and card', async () => {
    const { customer } = await newPlatform().data(`{ customer(id: "${ada}") {
      subscriptionContracts(first: 5) { nodes {
        id status
        lines(first: 5) { nodes { title variantTitle quantity currentPrice { amount currencyCode } variantImage { url } } }
        deliveryMethod { ... on SubscriptionDeliveryMethodShipping { address { id city } shippingOption { title } } }
        customerPaymentMethod { id instrument { ... on CustomerCreditCard { brand maskedNumber } } }
      } } } }`);
    const [first, second, third] = customer.subscriptionContracts.nodes;
    expect([first, second, third].map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED']);
    expect(first.lines.nodes).toEqual([
      {
        title: 'Harbor House Blend',
        variantTitle: '250 g',
        quantity: 1,
        currentPrice: { amount: '11.9', currencyCode: 'USD' },
        variantImage: { url: 'http://127.0.0.1:4000/_assets/coffee-bag.svg' },
      },
    ]);
    expect(second.lines.nodes).toHaveLength(2);
    expect(first.deliveryMethod.address.id).toMatch(
      /^gid:\/\/shopify\/MailingAddress\/\d+\?model_name=Address$/,
    );
    expect(first.customerPaymentMethod.id).toMatch(/^gid:\/\/shopify\/CustomerPaymentMethod\/[0-9a-f]{32}$/);
  });

  test('a customer without contracts has an empty page', async () => {
    const { customer } = await newPlatform().data(
      `{ customer(id: "${dan}") { subscriptionContracts(first: 5) { nodes { id } } productSubscriberStatus } }`,
    );
    expect(customer).toEqual({
      subscriptionContracts: { nodes: [] },
      productSubscriberStatus: 'NEVER_SUBSCRIBED',
    });
  });

  test("an order given away hangs on Ada's contract and names Ben", async () => {
    const { subscriptionContract } = await newPlatform().data(
      `{ subscriptionContract(id: "${weekly}") { customer { id } orders(first: 10) { nodes { customer { id } } } } }`,
    );
    expect(subscriptionContract.customer.id).toBe(ada);
    const owners = subscriptionContract.orders.nodes.map(
      ({ customer }: { customer: { id: string } }) => customer.id,
    );
    expect(owners.filter((id: string) => id === ben)).toHaveLength(1);
  });

  test("another store's contract is not there", async () => {
    expect(await newPlatform().data(`{ subscriptionContract(id: "${weekly}") { id } }`, {}, juniper)).toEqual(
      { subscriptionContract: null },
    );
  });
});

describe('listing', () => {
  test.each([
    ['customer_id:7001001', [9101003, 9101002, 9101001]],
    ['id:9101002', [9101002]],
    ['status:PAUSED customer_id:7001001', [9101003]],
    ['last_billing_attempt_error_type:PAYMENT_ERROR', [9101004]],
    ['product_variant_id:810100301', [9101002]],
    ['customer_id:7001004', []],
  ])('%s', async (query, ids) => {
    expect((await listed(newPlatform(), query)).toSorted()).toEqual([...ids].toSorted());
  });

  test('created_at and updated_at take ranges', async () => {
    const platform = newPlatform();
    const { createdAt } = (await platform.data(`{ subscriptionContract(id: "${weekly}") { createdAt } }`))
      .subscriptionContract;
    expect(await listed(platform, `created_at:>="${createdAt}" created_at:<="${createdAt}"`)).toEqual([
      9101001,
    ]);
    expect(await listed(platform, 'updated_at:>2026-11-21T08:30:00Z')).toEqual([]);
    platform.holder.nowMs += 60_000;
    await platform.run(
      `{ subscriptionContractPause(subscriptionContractId: "${weekly}") { userErrors { message } } }`,
    );
    expect(await listed(platform, 'updated_at:>2026-11-21T08:30:00Z')).toEqual([9101001]);
  });

  test('follows sort keys and reverse', async () => {
    const platform = newPlatform({ contracts: 5 });
    const byId = await listed(platform, '', 'sortKey: ID');
    expect(byId).toEqual(byId.toSorted());
    expect(await listed(platform, '', 'sortKey: ID, reverse: true')).toEqual(byId.toReversed());
    const oldestFirst = await listed(platform, '');
    expect(oldestFirst[0]).toBe(9101002);
  });
});

describe('status', () => {
  const change = (name: string, id: string) =>
    `{ subscriptionContract${name}(subscriptionContractId: "${id}", actor: CUSTOMER) { contract { status } userErrors { field message code } } }`;

  test.each(['Activate', 'Pause', 'Cancel', 'Expire', 'Fail'])(
    '%s of an absent contract is a user error',
    async (name) => {
      const { contract, userErrors } = await newPlatform().run(change(name, absent));
      expect(contract).toBeNull();
      expect(userErrors).toMatchObject([{ field: ['subscriptionContractId'], code: 'INVALID' }]);
    },
  );

  test('changes with pause, activate, fail and activate', async () => {
    const platform = newPlatform();
    for (const [name, status] of [
      ['Pause', 'PAUSED'],
      ['Activate', 'ACTIVE'],
      ['Fail', 'FAILED'],
      ['Activate', 'ACTIVE'],
    ] as const) {
      expect((await platform.run(change(name, weekly))).contract).toEqual({ status });
    }
  });

  test.each(['Cancel', 'Expire'])('after %s nothing changes any more', async (end) => {
    const platform = newPlatform();
    await platform.run(change(end, monthly));
    for (const name of ['Activate', 'Pause', 'Cancel', 'Expire', 'Fail']) {
      expect((await platform.run(change(name, monthly))).userErrors).toMatchObject([
        { code: 'CONTRACT_TERMINATED' },
      ]);
    }
    const update = await platform.run(
      `{ subscriptionContractUpdate(contractId: "${monthly}") { draft { id } userErrors { code } } }`,
    );
    expect(update).toEqual({ draft: null, userErrors: [{ code: 'INVALID' }] });
  });

  test('does not change the revision when a status is set again', async () => {
    const platform = newPlatform();
    const revision = async () =>
      (await platform.data(`{ subscriptionContract(id: "${paused}") { revisionId } }`)).subscriptionContract
        .revisionId;
    const before = await revision();
    await platform.run(change('Pause', paused));
    expect(await revision()).toBe(before);
    await platform.run(change('Activate', paused));
    expect(await revision()).not.toBe(before);
  });

  test('the next billing date is set and moves no cycle', async () => {
    const platform = newPlatform();
    const set = `subscriptionContractSetNextBillingDate(contractId: "${failed}", date: "2027-01-05T10:00:00+02:00") { contract { nextBillingDate } userErrors { code } }`;
    const cycles = `{ subscriptionBillingCycles(contractId: "${failed}", first: 5) { nodes { billingAttemptExpectedDate } } }`;
    const before = await platform.data(cycles);
    expect(await platform.run(`{ ${set} }`)).toEqual({
      contract: { nextBillingDate: '2027-01-05T08:00:00Z' },
      userErrors: [],
    });
    expect(await platform.data(cycles)).toEqual(before);
  });
});
