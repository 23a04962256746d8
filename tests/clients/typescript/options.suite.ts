/**
 * Tests the options that a client rejects when it is created: without types, a mistake is reported where it was made,
 * and not as a lost connection.
 */
import { describe, expect, test } from '@jest/globals';
import {
  changedSince,
  createCustomerClient,
  createMemoryStorage,
  createMerchantClient,
} from '../../../clients/typescript/src/client.ts';
import { merchantOf } from './world/merchant-of.ts';

const serviceUrl = 'https://service.example';
const customer = {
  ...{ serviceUrl, shop: 'a.myshopify.com', storage: createMemoryStorage() },
  openBrowser: async () => null,
};
const merchant = { serviceUrl, adminKey: 'SVC_AT_1' };
/** Creates clients like a script without types: an unset environment variable is `undefined`. */
const createWith = (wrong: object) => [
  () => createCustomerClient({ ...customer, ...wrong }),
  () => createMerchantClient({ ...merchant, ...wrong }),
];

test.each([undefined, '', '127.0.0.1:1', 'service.example', 'ftp://service.example'])(
  'no client is made for the address %j',
  (wrong) => {
    for (const create of createWith({ serviceUrl: wrong }))
      expect(create).toThrow(new TypeError('There is no serviceUrl with http(s)://.'));
  },
);

test.each(['https://service.example/', 'http://localhost:3000', 'HTTPS://service.example'])(
  'one is made for the address %s',
  (right) => {
    for (const create of createWith({ serviceUrl: right })) expect(create).not.toThrow();
  },
);

test.each(['shop', 'storage', 'openBrowser'])('no customer’s client is made without %s', (name) => {
  expect(createWith({ [name]: undefined })[0]).toThrow(new TypeError(`There is no ${name}.`));
});

test.each(['harbor-coffee', 'https://a.myshopify.com', 'a.myshopify.com/', 'a myshopify.com'])(
  'the client of a customer’s app rejects the shop %j',
  (shop) => {
    expect(createWith({ shop })[0]).toThrow(
      new TypeError(`shop is ${shop}: give the store's domain, such as harbor-coffee.myshopify.com.`),
    );
  },
);

test('the client accepts a domain in upper case, as the service does', () => {
  expect(createWith({ shop: 'Harbor-Coffee.MyShopify.com' })[0]).not.toThrow();
});

test.each(['get', 'set', 'remove'])('the client of a customer’s app rejects a storage without %s', (name) => {
  const storage = { ...createMemoryStorage(), [name]: undefined };
  expect(createWith({ storage })[0]).toThrow(new TypeError(`storage has no function ${name}.`));
});

test.each([
  { name: '', version: '1' },
  { name: 'x'.repeat(41), version: '1' },
  { name: 'Harbor Coffee', version: '1' },
  { name: 'app', version: '1\r\nx: y' },
  { name: 'app', version: undefined },
])('each client rejects the appInfo %j', (appInfo) => {
  for (const create of createWith({ appInfo })) expect(create).toThrow(TypeError);
});

test.each([0, -1, 7.1, 30, Number.NaN])(
  'orders that came due within %d days are not searched for',
  (days) => {
    const unasked = merchantOf(() => Promise.reject(new Error('asked')));
    expect(() => unasked.orders.due({ lookBackDays: days })).toThrow(
      new RangeError('lookBackDays: more than 0, and at most 7.'),
    );
  },
);

test.each([0, -1, 36, Number.NaN])('declined orders are not searched for within %d days', (days) => {
  const unasked = merchantOf(() => Promise.reject(new Error('asked')));
  expect(() => unasked.orders.due({ declined: true, lookBackDays: days })).toThrow(
    new RangeError('lookBackDays: more than 0, and at most 35.'),
  );
});

test.each(['2026-11-23', undefined, new Date('never')])('%p is no date to search changes since', (wrong) => {
  expect(() => changedSince(wrong as Date)).toThrow(new TypeError('changedSince needs a valid Date.'));
});

test('changes since a date', () => {
  expect(changedSince(new Date('2026-11-23'))).toBe(`updated_at:>='2026-11-23T00:00:00.000Z'`);
});

describe('the page of a sign-in', () => {
  const PAGE = 'https://shop.example.com/account';
  const signInAt = (answered: string, redirectUri?: string) => {
    const sent: unknown[] = [];
    const opened: unknown[] = [];
    const addresses: string[] = [];
    const started = { authUrl: 'https://platform.example/', state: 's', verifier: 'v', nonce: 'n' };
    const client = createCustomerClient({
      ...customer,
      ...(redirectUri && { redirectUri }),
      storage: createMemoryStorage(),
      openBrowser: async (request) => {
        opened.push(request);
        return null;
      },
      environment: {
        fetch: async (url, { body }) => {
          addresses.push(url);
          sent.push(JSON.parse(body));
          const text = JSON.stringify({ ...started, redirectUri: answered });
          return { status: 200, headers: new Headers(), text: async () => text };
        },
      },
    });
    return { client, sent, opened, addresses };
  };

  test('is sent to the service, and is the only address with which the sign-in is completed', async () => {
    const { client, sent, opened, addresses } = signInAt(PAGE, PAGE);
    await client.signIn();
    expect(addresses).toEqual([`${serviceUrl}/headless-auth/start?shop=a.myshopify.com`]);
    expect(sent).toEqual([expect.objectContaining({ redirectUri: PAGE })]);
    expect(opened).toEqual([{ authUrl: 'https://platform.example/', redirectUri: PAGE }]);
    for (const address of [`${PAGE}/`, 'https://evil.example/account', 'shop.1.app://callback'])
      await expect(client.completeSignIn(`${address}?code=c&state=s`)).rejects.toMatchObject({
        code: 'FOREIGN_REDIRECT',
      });
  });

  test('is not sent by an app', async () => {
    const { client, sent, addresses } = signInAt('shop.1.app://callback');
    await client.signIn();
    expect(addresses).toEqual([`${serviceUrl}/headless-auth/start`]);
    expect(sent).toEqual([{ shop: 'a.myshopify.com' }]);
  });

  test('opens no browser if the service would send it to another address', async () => {
    const { client, opened } = signInAt('shop.1.app://callback', PAGE);
    await expect(client.signIn()).rejects.toMatchObject({ code: 'SIGN_IN_REFUSED' });
    expect(opened).toEqual([]);
  });
});
