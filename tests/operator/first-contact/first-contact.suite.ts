/** Each step against the emulated platform in either way that the real one may be. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MeasurementContext } from '../../../operator/first-contact/measurement.ts';
import { appSecretMeasurement } from '../../../operator/first-contact/sign-in-steps.ts';
import type { OperatorWorld } from '../operator-world.ts';

const HARBOR = 'harbor-coffee.myshopify.com';

/** Over a world that has the store installed; leaves its platform as the seed is. */
export function firstContactSuite(given: () => OperatorWorld): void {
  const reset = () => given().control('reset', {});
  beforeEach(reset);
  afterAll(reset);

  const run = (step: string, ...more: string[]) =>
    given().run(['first-contact', HARBOR, '--only', step, ...more]);
  const setting = (settings: object) => () => given().control('settings', { shop: HARBOR, ...settings });
  const withhold = (scope: string) => given().control('scopes', { shop: HARBOR, withheld: [scope] });
  const fault = (operation: string, answer: object, count = 1) =>
    given().control('faults', { target: 'admin', operation, count, ...answer });
  const signInDown = (operation: string, count: number) => () =>
    given().control('faults', { target: 'sign-in', operation, count, status: 503 });
  const answeredBy = (version: string) =>
    fault('FirstContactVersion', { body: { data: {} }, headers: { 'x-shopify-api-version': version } });
  const nothing = async () => undefined;
  const expiredIsGone = async () => {
    await answeredBy('2026-07');
    await fault('FirstContactVersion', { status: 404 });
  };
  const oldOrderIsVisible = async () => {
    await withhold('read_all_orders');
    const orders = { nodes: [{ id: 'gid://shopify/Order/1' }] };
    const data = { orders, currentAppInstallation: { accessScopes: [] } };
    await fault('FirstContactOldOrders', { body: { data } });
  };

  type Case = [step: string, when: string, setUp: () => Promise<unknown>, verdict: string, message: string];
  const cases: Case[] = [
    ['api-version', 'as documented', nothing, 'so', 'oldest version that lives is 2026-07'],
    ['api-version', 'another answers', () => answeredBy('2026-10'), 'not so', 'Another version'],
    ['api-version', 'an expired one is gone', expiredIsGone, 'not so', 'An expired version'],
    ['discovery', 'served', nothing, 'so', 'is the pinned one'],
    ['discovery', 'moved', setting({ discovery: 'moved' }), 'not so', 'does not serve them'],
    ['discovery', 'down', signInDown('discovery', 2), 'not measured', 'did not answer'],
    ['origin', 'refused', nothing, 'so', 'it is refused'],
    ['origin', 'taken', setting({ origin: 'taken' }), 'so', 'taken, too'],
    ['origin', 'needed', setting({ origin: 'needed' }), 'not so', 'with an Origin alone'],
    ['origin', 'down', signInDown('token', 3), 'not measured', 'in every form'],
    ['app-secret', 'a token alone', nothing, 'not measured', 'a token alone'],
    ['nodes-cost', 'by its ids', nothing, 'so', 'Each id costs 2'],
    ['nodes-cost', 'once', setting({ nodesCost: 'once' }), 'not so', 'however many'],
    ['old-orders', 'granted', nothing, 'not measured', 'has read_all_orders'],
    ['old-orders', 'hidden', () => withhold('read_all_orders'), 'so', '9101002'],
    ['old-orders', 'visible without it', oldOrderIsVisible, 'not so', 'without it'],
    ['cycle-range', 'answered', nothing, 'so', '501 cycles'],
    ['cycle-range', 'refused', setting({ longRanges: 'refused' }), 'not so', 'INVALID_FIELD_ARGUMENTS'],
    ['prepaid-price', 'no such contract', nothing, 'not measured', 'billed every 3 months'],
  ];

  test.each(cases)('%s, %s', async (step, _when, setUp, verdict, message) => {
    await setUp();
    const { out, exitCode } = await run(step, '--contract', '9101002', '--json');
    const [found] = JSON.parse(out).steps;
    expect(found).toMatchObject({ name: step, verdict, message: expect.stringContaining(message) });
    expect(exitCode).toBe(found.differs ? 1 : 0);
  });

  test.each([
    ['30', 'so', 'the policy’s'],
    ['90', 'not so', 'of each delivery'],
    ['45', 'not so', 'neither'],
  ])(
    'prepaid-price, computed %s for three deliveries under a price of 30',
    async (computed, verdict, message) => {
      const { out } = await run(
        'prepaid-price',
        '--contract',
        await prepaidContract(given(), computed),
        '--json',
      );
      expect(JSON.parse(out).steps).toMatchObject([
        { verdict, message: expect.stringContaining(message), differs: false },
      ]);
    },
  );

  test.each([
    ['invalid_client', 401, 'so', false],
    ['invalid_request', 400, 'not so', false],
    ['server_error', 503, 'not measured', false],
  ])(
    'returns the verdict for an app secret that is refused with %s',
    async (error, status, verdict, differs) => {
      expect(await measureAppSecret(status, { error })).toMatchObject({ verdict, differs });
    },
  );

  test('app-secret differs where a wrong secret is given a token', async () => {
    expect(await measureAppSecret(200, { access_token: 'x' })).toMatchObject({
      verdict: 'not so',
      differs: true,
    });
  });

  describe('the report', () => {
    test('lets a difference stand out, with the file that relies on the claim', async () => {
      await setting({ discovery: 'moved', nodesCost: 'once' })();
      const { out, exitCode } = await run('discovery,nodes-cost');
      expect(out).toContain('| `discovery` | **is not so: differs** |');
      expect(out).toMatch(/Differs from what .*: .*lib\/platform\/sign-in\/discover-sign-in\.ts/);
      expect(out).toContain('| `nodes-cost` | is not so; the service is built for that, too |');
      expect(exitCode).toBe(1);
    });

    test('keeps a message of the platform on one line, without addresses and tokens', async () => {
      const message = 'No\n## so: `rm`\n| ada@example.com shpat_0123456789abcdef |';
      await fault('FirstContactCycles', { body: { data: null, errors: [{ message, path: ['_svcNear'] }] } });
      const { out } = await run('cycle-range', '--contract', '9101002');
      expect(out).toContain('## so: `rm`');
      expect(out).not.toMatch(/^## so|ada@|shpat_/m);
    });

    test('goes on where the platform fails, and ends with 1', async () => {
      await fault('FirstContactOldOrders', { status: 403 }, 9);
      const { out, exitCode } = await run('old-orders,discovery');
      expect(out).toMatch(/`old-orders` \| could not be measured[\s\S]*STORE_DISCONNECTED/);
      expect(out).toContain('| `discovery` | is so |');
      expect(exitCode).toBe(1);
    });
  });

  test('refuses a contract that the store does not have', async () => {
    const refused = { exitCode: 1, err: expect.stringContaining('Contract 1 of this app was not found') };
    expect(await run('cycle-range', '--contract', '1')).toMatchObject(refused);
  });
}

async function measureAppSecret(status: number, body: object) {
  const postForm = async () => ({ status, headers: {}, body: JSON.stringify(body) });
  const context = {
    ...{ postForm, now: Date.now, target: { platformOrigin: 'https://{shop}' } },
    ...{ store: { domain: HARBOR }, readAppClientId: async () => 'the-app' },
  };
  return appSecretMeasurement.measure(context as unknown as MeasurementContext);
}

/** Three deliveries in a payment, under a price of 30.00 that the platform has computed so. */
async function prepaidContract({ platform }: OperatorWorld, computed: string): Promise<string> {
  const discount = `{ adjustmentType: PRICE, adjustmentValue: { fixedValue: 30 }, afterCycle: 0, computedPrice: ${computed} }`;
  const line = `{ productVariantId: "gid://shopify/ProductVariant/810100201", quantity: 1, currentPrice: ${computed}, pricingPolicy: { basePrice: 15, cycleDiscounts: [${discount}] } }`;
  const address = '{ address1: "8 Wharf Street", city: "Portland", countryCode: US }';
  const contract = `{ billingPolicy: { interval: MONTH, intervalCount: 3 }, deliveryPolicy: { interval: MONTH, intervalCount: 1 }, deliveryMethod: { shipping: { address: ${address} } } }`;
  const query = `mutation { subscriptionContractAtomicCreate(input: { customerId: "gid://shopify/Customer/7001001", currencyCode: USD,
    nextBillingDate: "2031-12-21T00:00:00Z", contract: ${contract}, lines: [{ line: ${line} }] }) { contract { id } } }`;
  const headers = {
    'content-type': 'application/json',
    'x-shopify-access-token': platform.stores[0]?.accessToken ?? '',
  };
  const url = `${platform.url}/${HARBOR}/admin/api/2026-07/graphql.json`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data } = (await response.json()) as {
    readonly data: {
      readonly subscriptionContractAtomicCreate: { readonly contract: { readonly id: string } };
    };
  };
  return /\d+$/.exec(data.subscriptionContractAtomicCreate.contract.id)?.[0] ?? '';
}
