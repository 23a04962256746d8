import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uninstallStore } from '../../../lib/stores/lifecycle/uninstall-store.ts';
import { storeClientSecret } from '../../../lib/stores/webhooks/store-client-secret.ts';
import { PROCESSED_TOPICS } from '../../../lib/webhooks/in/read-changed-object.ts';
import { fullSize, isFullSize, propertyRuns } from '../../full-size.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { contractBody, createWebhooksWorld, SECRET, type Sent, signatureOf } from './webhooks-world.ts';

type World = Awaited<ReturnType<typeof createWebhooksWorld>>;
let world: World;
beforeAll(async () => {
  world = await createWebhooksWorld();
});

const OTHER_SECRET = `${SECRET.slice(0, -1)}0`;
const REFUSED = { statusCode: 401, body: expect.stringContaining('"UNAUTHENTICATED"') };

const shopBody = ({ shopId, domain }: Store) => ({ id: shopId, name: 'Harbor', myshopify_domain: domain });
const cycleBody = { subscription_contract_id: 11, cycle_index: 3, skipped: true, edited: false };
const attemptBody = {
  id: 12,
  admin_graphql_api_id: 'gid://shopify/SubscriptionBillingAttempt/12',
  subscription_contract_id: 11,
  ready: true,
};
const methodBody = {
  admin_graphql_api_id: 'gid://shopify/CustomerPaymentMethod/0a1b-c_d',
  token: '0a1b-c_d',
  customer_id: 7000000001,
};
const ofShop = ({ shopId, domain }: Store) => ({ shop_id: shopId, shop_domain: domain });
const CUSTOMER = { id: 7000000001, email: 'ada@example.com', phone: '+15550100' };
type Store = Awaited<ReturnType<World['installed']>>;

/** Every topic with a body as the platform documents it, and its inbox item. */
const topics: readonly (readonly [string, (store: Store) => object, (store: Store) => string])[] = [
  ...['create', 'update', 'activate', 'pause', 'cancel', 'expire', 'fail'].map(
    (action) => [`subscription_contracts/${action}`, () => contractBody(11), () => 'contracts 11'] as const,
  ),
  ...['cycles/skip', 'cycles/unskip', 'cycle_edits/create', 'cycle_edits/update', 'cycle_edits/delete'].map(
    (end) => [`subscription_billing_${end}`, () => cycleBody, () => 'contracts 11'] as const,
  ),
  ...['success', 'failure', 'challenged'].map(
    (action) => [`subscription_billing_attempts/${action}`, () => attemptBody, () => 'attempts 12'] as const,
  ),
  ...['create', 'update', 'revoke'].map(
    (action) =>
      [`customer_payment_methods/${action}`, () => methodBody, () => 'payment-methods 0a1b-c_d'] as const,
  ),
  ['app/uninstalled', shopBody, ({ shopId }) => `app ${shopId}`],
  [
    'app/scopes_update',
    ({ shopId }) => ({ id: 5, shop_id: shopId, current: [] }),
    ({ shopId }) => `scopes ${shopId}`,
  ],
  ['shop/update', shopBody, ({ shopId }) => `shop ${shopId}`],
  ['shop/redact', ofShop, ({ shopId }) => `shop-redact ${shopId}`],
  [
    'customers/redact',
    (store) => ({ ...ofShop(store), customer: CUSTOMER, orders_to_redact: [1, 2] }),
    () => 'customer-redact 7000000001',
  ],
  [
    'customers/data_request',
    (store) => ({ ...ofShop(store), customer: CUSTOMER, orders_requested: [1], data_request: { id: 99 } }),
    () => 'data-request 99',
  ],
];

test.each(topics)(
  '%s leaves one inbox item with ids alone, enqueues the store, and returns 200',
  async (topic, body, inboxItem) => {
    const store = await world.installed();
    const { faults, send } = world.container();
    expect(await send({ ...store, topic, body: body(store) })).toMatchObject({ statusCode: 200 });
    const left = await world.leftOf(store.shopId);
    expect(left).toMatchObject({ inbox: [inboxItem(store)], isEnqueued: true });
    expect(JSON.stringify(left.items)).not.toMatch(/ada@|15550100|Harbor/);
    expect(faults.calls.filter(({ operation }) => /put|update|delete/.test(operation))).toHaveLength(2);
  },
);

test('covers every topic that the service acts on', () => {
  expect(topics.map(([topic]) => topic).sort()).toEqual([...PROCESSED_TOPICS].sort());
});

test('no body passes under a topic that would do more than read again', async () => {
  const store = await world.installed();
  const { send } = world.container();
  const grave = ['shop/redact', 'customers/redact', 'customers/data_request'];
  for (const [own, body] of topics)
    for (const topic of grave.filter((each) => each !== own))
      expect([own, topic, await send({ ...store, topic, body: body(store) })]).toMatchObject([
        own,
        topic,
        REFUSED,
      ]);
  expect(await world.leftOf(store.shopId)).toMatchObject({ inbox: [], isEnqueued: false });
});

test('does nothing for a body that names another shop, though both shops share a secret', async () => {
  const [store, sister] = [await world.installed(), await world.installed()];
  const { send } = world.container();
  const naming = topics.filter(([topic]) => /^(app|shop|customers)\//.test(topic));
  for (const [topic, body] of naming)
    expect([topic, await send({ ...store, topic, body: body(sister) })]).toMatchObject([topic, REFUSED]);
  for (const { shopId } of [store, sister])
    expect(await world.leftOf(shopId)).toMatchObject({ inbox: [], isEnqueued: false });
});

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Returns signatures that a lenient decoder would also accept. */
function leniently(good: string): string[] {
  const unpadded = good.slice(0, -1);
  const unusedBits = BASE64[BASE64.indexOf(unpadded.at(-1) ?? '') + 1];
  return [
    ...[unpadded, `${unpadded.slice(0, -1)}${unusedBits}=`],
    ...[`${good}AAAA`, `${good.slice(0, 9)} ${good.slice(9)}`, `${good},${good}`],
    ...[good.replaceAll('+', '-').replaceAll('/', '_')].filter((urlSafe) => urlSafe !== good),
  ];
}

describe('what nobody may know apart', () => {
  test('returns the same 401 for an unknown shop, a purged one, one without a secret, and a wrong signature', async () => {
    const [store, silent, purged] = [
      await world.installed(),
      await world.installed(''),
      await world.installed(),
    ];
    const { shopId, domain } = purged;
    await world.operator.table.update({
      key: { pk: `STORE#${shopId}`, sk: 'STORE' },
      update: 'SET #status = :purging',
      names: { '#status': 'status' },
      values: { ':purging': 'purging' },
    });
    const webhook = { topic: 'subscription_contracts/update', body: contractBody(1) };
    const refusals: [Omit<Sent, 'topic' | 'body'>, string][] = [
      [{ domain: 'nobody.myshopify.com' }, 'no store'],
      [{ domain: 'shop.example' }, 'no store'],
      [{ domain }, 'no store'],
      [{ domain: silent.domain }, 'no client secret'],
      [{ domain: store.domain, secret: OTHER_SECRET }, 'signature'],
      [{ domain: store.domain, headers: { 'x-shopify-hmac-sha256': '' } }, 'signature'],
      [{ domain: store.domain, headers: { 'x-shopify-hmac-sha256': 'é'.repeat(900) } }, 'signature'],
      ...leniently(signatureOf(JSON.stringify(contractBody(1)))).map(
        (text): [Omit<Sent, 'topic' | 'body'>, string] => [
          { domain: store.domain, headers: { 'x-shopify-hmac-sha256': text } },
          'signature',
        ],
      ),
    ];
    const answers = new Set<string>();
    for (const [sent, refusal] of refusals) {
      const { send, logged, faults } = world.container();
      answers.add(JSON.stringify(await send({ ...webhook, ...sent })));
      expect(logged.at(-1)).toMatchObject({ message: 'request', fields: { refusal, outcome: 'refused' } });
      const requested = faults.calls.filter(({ at }) => at === 'secrets');
      expect([refusal, requested.length]).toEqual([refusal, refusal === 'signature' ? 1 : 0]);
    }
    expect([...answers].map((text) => JSON.parse(text))).toMatchObject([REFUSED]);
  });

  test('a forger makes a container ask Secrets Manager once, and a new secret counts at once', async () => {
    const store = await world.installed();
    const { send, faults } = world.container();
    const webhook = { ...store, topic: 'subscription_contracts/update', body: contractBody(1) };
    for (let tries = 0; tries < 20; tries++)
      expect(await send({ ...webhook, secret: OTHER_SECRET })).toMatchObject(REFUSED);
    expect(faults.calls.filter(({ at }) => at === 'secrets')).toHaveLength(1);
    await storeClientSecret(world.operator, { shopId: store.shopId, clientSecret: OTHER_SECRET });
    expect(await send({ ...webhook, secret: OTHER_SECRET })).toMatchObject({ statusCode: 200 });
    expect(faults.calls.filter(({ at }) => at === 'secrets')).toHaveLength(2);
  });
});

test('the previous secret is good until two hours after the new one was first seen, in every container', async () => {
  const store = await world.installed();
  const { shopId } = store;
  const webhook = { ...store, topic: 'subscription_contracts/update', body: contractBody(1) };
  const statusBy = async (secret: string, { send } = world.container()) =>
    (await send({ ...webhook, secret })).statusCode;
  const [first, slip, second] = [SECRET, 'a-slip-of-somebodys-pen-who-was-tired', OTHER_SECRET];
  await storeClientSecret(world.operator, { shopId, clientSecret: slip });
  await storeClientSecret(world.operator, { shopId, clientSecret: second });
  expect([await statusBy(first), await statusBy(slip)]).toEqual([200, 401]);
  world.advance(48 * 3_600_000);
  const container = world.container();
  expect([await statusBy(first, container), await statusBy(second, container)]).toEqual([200, 200]);
  world.advance(2 * 3_600_000 - 1000);
  expect([await statusBy(first), await statusBy(first, container)]).toEqual([200, 200]);
  world.advance(1000);
  expect([await statusBy(first), await statusBy(first, container)]).toEqual([401, 401]);
  expect(await statusBy(second)).toBe(200);
});

test('accepts the redaction of an uninstalled store two days later', async () => {
  const store = await world.installed();
  await uninstallStore(world.operator, store.shopId);
  const { send } = world.container();
  const sent = { ...store, topic: 'shop/redact', body: ofShop(store) };
  expect(await send(sent)).toMatchObject({ statusCode: 200 });
  expect(await world.leftOf(store.shopId)).toMatchObject({
    inbox: [`shop-redact ${store.shopId}`],
    isEnqueued: true,
  });
});

describe('bad input', () => {
  const send = async (sent: Partial<Sent>) => {
    const store = await world.installed();
    const container = world.container();
    const given = { ...store, topic: 'subscription_contracts/update', body: contractBody(1), ...sent };
    const answers = [await container.send(given), await container.send(given)];
    const notes = container.logged.filter(({ message }) => message.startsWith('platform_webhook.'));
    return { answers, notes, left: await world.leftOf(store.shopId) };
  };

  test.each(['', '{', '[]', '"text"', 'null', '\u0000'])(
    'a signed body that is no object: %j',
    async (body) => {
      const { answers, left } = await send({ body });
      expect(answers[0]).toMatchObject({ statusCode: 400, body: expect.stringContaining('"INVALID_JSON"') });
      expect(left).toMatchObject({ inbox: [], isEnqueued: false });
    },
  );

  test.each([9_007_199_254_740_993n, '9007199254740993', '1'.repeat(19)])(
    'a number that the service could not keep exactly (%s) is not acknowledged',
    async (number) => {
      const shop = await world.installed();
      const customer = JSON.stringify({ ...ofShop(shop), customer: { id: 0 }, orders_to_redact: [] });
      const body = customer.replace('"id":0', `"id":${typeof number === 'bigint' ? number : `"${number}"`}`);
      const container = world.container();
      expect(await container.send({ ...shop, topic: 'customers/redact', body })).toMatchObject(REFUSED);
      expect(container.logged.at(-1)).toMatchObject({ fields: { refusal: 'body' } });
      expect(await world.leftOf(shop.shopId)).toMatchObject({ inbox: [], isEnqueued: false });
    },
  );

  test('5 MB', async () => {
    const { answers } = await send({ body: { ...contractBody(1), more: 'x'.repeat(5_000_000) } });
    expect(answers[0]).toMatchObject({ statusCode: 413, body: expect.stringContaining('PAYLOAD_TOO_LARGE') });
  });

  test('acknowledges an unknown topic, and logs it once', async () => {
    const { answers, notes, left } = await send({ topic: 'orders/create' });
    expect(answers).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }]);
    expect(notes.map(({ fields }) => fields)).toEqual([{ topic: 'orders/create' }]);
    expect(left).toMatchObject({ inbox: [], isEnqueued: false });
  });

  test.each([
    ['none', undefined],
    ['empty', ''],
    ['no topic', 'subscription_contracts'],
    ['sent twice', 'subscription_contracts/update,subscription_contracts/update'],
    ['two of them', 'subscription_contracts/update, app/uninstalled'],
    ['too long', `subscription_contracts/${'a'.repeat(61)}`],
  ])(
    'rejects a topic that is invalid (%s), so that the platform sends the webhook again',
    async (_name, topic) => {
      const headers = { 'x-shopify-topic': topic } as unknown as Record<string, string>;
      const { answers, left } = await send({ headers });
      expect(answers[0]).toMatchObject({
        statusCode: 400,
        body: expect.stringContaining('"MISSING_PARAMETERS"'),
      });
      expect(left).toMatchObject({ inbox: [], isEnqueued: false });
      const forged = await send({ headers, secret: 'another' });
      expect(forged.answers[0]).toMatchObject({ statusCode: 401 });
    },
  );

  test('a topic in capitals is that topic', async () => {
    const { answers, left } = await send({ topic: 'Subscription_Contracts/UPDATE' });
    expect([answers[0]?.statusCode, left.inbox]).toEqual([200, ['contracts 1']]);
  });

  test('reads an unknown API version anyway, and logs it once', async () => {
    const { answers, notes, left } = await send({ headers: { 'x-shopify-api-version': '2031-01' } });
    expect(answers).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }]);
    expect(notes.map(({ fields }) => fields)).toEqual([{ apiVersion: '2031-01' }]);
    expect(left.inbox).toEqual(['contracts 1']);
  });
});

test('leaves nothing without the secret, and never crashes, whatever headers and body contain', async () => {
  const store = await world.installed();
  const container = world.container();
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(...topics.map(([, of]) => JSON.stringify(of(store)))),
  );
  const header = fc.oneof(fc.string(), fc.constantFrom('', '\n', '__proto__', 'constructor/name'));
  const sent = fc.record({
    domain: fc.oneof(fc.constant(store.domain), header),
    topic: fc.oneof(fc.constantFrom(...PROCESSED_TOPICS), header),
    body,
    secret: fc.oneof(fc.constant(SECRET), fc.string({ minLength: 1 })),
    headers: fc.dictionary(fc.constantFrom('x-shopify-api-version', 'x-shopify-webhook-id'), header),
  });
  const property = fc.asyncProperty(sent, async (given) => {
    const { statusCode } = await container.send(given);
    const isSigned = given.secret === SECRET && given.domain === store.domain;
    expect(isSigned ? [200, 400, 401] : [401]).toContain(statusCode);
  });
  await fc.assert(property, propertyRuns(20_000));
  expect(
    container.logged.filter(({ message }) => message.startsWith('a webhook')).length,
  ).toBeLessThanOrEqual(50);
});

test('does not acknowledge what is not written, and has stored all that it acknowledged', async () => {
  const store = await world.installed();
  const acknowledged = new Set<string>();
  const property = fc.asyncProperty(
    fc.nat(8),
    fc.constantFrom('down', 'lost'),
    fc.integer({ min: 1, max: 500 }),
    async (at, how, number) => {
      const { send, faults } = world.container();
      faults.plan = ({ count }) => (count === at ? (how as 'down' | 'lost') : undefined);
      const { statusCode } = await send({
        ...store,
        topic: 'subscription_contracts/update',
        body: contractBody(number),
      });
      if (statusCode === 200) acknowledged.add(`contracts ${number}`);
      else expect(statusCode).toBe(503);
      const left = await world.leftOf(store.shopId);
      for (const inboxItem of acknowledged) expect(left.inbox).toContain(inboxItem);
      expect(left.isEnqueued).toBe(acknowledged.size > 0 || left.isEnqueued);
    },
  );
  await fc.assert(property, propertyRuns(3_000));
});

test('200 receipts a second for a minute lose none, each with a read and two writes of its store', async () => {
  const stores = await Promise.all(Array.from({ length: 5 }, () => world.installed()));
  const containers = Array.from({ length: 8 }, () => world.container());
  const receipts = fullSize(200 * 60);
  const contracts = Math.ceil(receipts / 3);
  const answers = await Promise.all(
    Array.from({ length: receipts }, (_, index) => {
      const store = stores[index % stores.length] as Store;
      const body = contractBody(1 + (index % contracts));
      return containers[index % containers.length]?.send({
        ...store,
        topic: 'subscription_contracts/update',
        body,
      });
    }),
  );
  expect(new Set(answers.map((answer) => answer?.statusCode))).toEqual(new Set([200]));
  const reported = (place: number) =>
    new Set(
      Array.from({ length: receipts }, (_, index) => index)
        .filter((index) => index % stores.length === place)
        .map((index) => `contracts ${1 + (index % contracts)}`),
    );
  for (const [place, { shopId }] of stores.entries()) {
    const left = await world.leftOf(shopId);
    expect([new Set(left.inbox), left.isEnqueued]).toEqual([reported(place), true]);
  }
  const calls = containers.flatMap(({ faults }) => faults.calls.map(({ operation }) => operation));
  const count = (name: string) => calls.filter((operation) => operation === name).length;
  expect([count('update'), count('put')]).toEqual([2 * receipts, 0]);
});

/** Times are checked only by `npm run scale`, where no other tests run. */
(isFullSize ? test : test.skip)(
  '99 of 100 webhooks are answered in 300 ms, warm, over the wire',
  async () => {
    const wired = await createWebhooksWorld({ isWired: true });
    const store = await wired.installed();
    const { send } = wired.container();
    const times: number[] = [];
    for (let number = 1; number <= 2050; number++) {
      const startedAtMs = performance.now();
      const sent = { ...store, topic: 'subscription_contracts/update', body: contractBody(number) };
      expect(await send(sent)).toMatchObject({ statusCode: 200 });
      if (number > 50) times.push(performance.now() - startedAtMs);
    }
    await wired.close();
    times.sort((one, other) => one - other);
    const p99Ms = times[Math.floor(times.length * 0.99)] ?? 0;
    console.log(`p50 ${times[times.length / 2]?.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`);
    expect(p99Ms).toBeLessThan(300);
  },
);

holdsRights();
