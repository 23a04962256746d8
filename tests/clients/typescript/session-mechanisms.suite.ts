/** Tests the mechanisms of the session that have no effect without faults: each test fails without its mechanism. */
import { describe, expect, test } from '@jest/globals';
import { createMemoryStorage } from '../../../clients/typescript/src/client.ts';
import { createCustomerCore } from '../../../clients/typescript/src/customer-core.ts';
import { parseSignInCallback } from '../../../clients/typescript/src/session/read-callback.ts';
import { callbackOf, type NetworkFault, REDIRECT_URI } from './world/client-world.ts';
import {
  ask,
  codeOf,
  HOUR_MS,
  OK,
  phone,
  plan,
  settle,
  signedIn,
  signInPages,
  world,
} from './world/fresh-world.ts';

const REFRESH = '/headless-auth/refresh';
const EXCHANGE = '/headless-auth/exchange';
const MINUTE_MS = 60_000;

/** Creates a sign-in whose code is stored and whose exchange got no response. */
async function waiting() {
  const tab = phone.open(signInPages);
  phone.faults.network = (path) => (path === EXCHANGE ? 'offline' : undefined);
  expect(await codeOf(tab.client.signIn())).toBe('NETWORK');
  phone.faults.network = () => undefined;
  return tab;
}

function keyOf(kind: string): string {
  const [key = ''] = phone.texts.keys();
  return key.replace(/\w+$/, kind);
}

describe('a refresh', () => {
  test('refreshes once for two tabs with a lock, and delays the second no longer than the refresh takes', async () => {
    const phone = world.createPhone({ hasLocks: true });
    const tabs = [await signedIn(phone), phone.open()];
    await world.time.advance(2 * HOUR_MS);
    const startedMs = world.time.now();
    const pending = tabs.map(({ client }) => client.request('{ ok }'));
    expect(await settle(Promise.all(pending))).toEqual([OK, OK]);
    expect(phone.refreshes.all).toBe(1);
    expect(world.time.now() - startedMs).toBeLessThan(2_000);
  });

  test('comes when the service refuses a token that the device takes for good', async () => {
    const tab = await signedIn();
    const key = keyOf('session');
    const stored = JSON.parse(phone.texts.get(key) ?? '');
    // Like after a clock was set back.
    phone.texts.set(key, JSON.stringify({ ...stored, receivedAtMs: stored.receivedAtMs + 9 * HOUR_MS }));
    await world.time.advance(2 * HOUR_MS);
    expect(await ask(tab)).toEqual(OK);
    expect(phone.refreshes.all).toBe(1);
  });
});

describe('records that say nothing', () => {
  test.each(['{"accessTok', '{}', '5', '"text"', '[]', '[{}]'])(
    'reads the stored text %s as signed out, and still signs in',
    async (text) => {
      const { client } = await signedIn();
      for (const kind of ['session', 'signIns', 'signOuts']) phone.texts.set(keyOf(kind), text);
      expect(await settle(client.session())).toMatchObject({ status: 'signedOut' });
      expect(await settle(client.signIn())).toMatchObject({ status: 'signedIn' });
      await settle(client.signOut());
      expect(await settle(client.session())).toMatchObject({ status: 'signedOut' });
    },
  );
});

describe('a code that waits for its answer', () => {
  test('keeps a code after 15 minutes, because only the service can say whether it is valid', async () => {
    const { client } = await waiting();
    await world.time.advance(20 * MINUTE_MS);
    expect(await settle(client.completeSignIn(callbackOf('=s1')))).toMatchObject({ status: 'signedIn' });
  });

  test('is not replaced by another code for the same state', async () => {
    const { client } = await waiting();
    expect(await codeOf(client.completeSignIn(`${REDIRECT_URI}?code=other&state=s1`))).toBe(
      'FOREIGN_REDIRECT',
    );
  });

  test('comes before another browser', async () => {
    const { client } = await waiting();
    expect(await settle(client.signIn())).toMatchObject({ status: 'signedIn' });
    // No second start.
    expect(await codeOf(client.completeSignIn(callbackOf('=s2')))).toBe('FOREIGN_REDIRECT');
  });
});

test.each([
  ['a+b', 'a b'],
  ['a%2Bb', 'a+b'],
])('a code %s is read as forms write it: %s', (written, code) => {
  expect(parseSignInCallback(`${REDIRECT_URI}?code=${written}&state=s`).code).toBe(code);
  expect(() => parseSignInCallback(`${REDIRECT_URI}?code=${written}&state=s&x=%`)).toThrow(/of no sign-in/);
});

describe('sign-ins that are open', () => {
  test('are three at most, the newest', async () => {
    const { client } = phone.open();
    for (let times = 0; times < 4; times++) await settle(client.signIn());
    expect(await codeOf(client.completeSignIn(callbackOf('=s1')))).toBe('FOREIGN_REDIRECT');
    expect(await settle(client.completeSignIn(callbackOf('=s2')))).toMatchObject({ status: 'signedIn' });
  });

  test('are over once the customer has said no', async () => {
    const { client } = phone.open(async () => `${REDIRECT_URI}?error=access_denied&state=s1`);
    expect(await codeOf(client.signIn())).toBe('CANCELLED');
    expect(await codeOf(client.completeSignIn(callbackOf('=s1')))).toBe('FOREIGN_REDIRECT');
  });
});

describe('an end that comes late', () => {
  test('revokes the session of a sign-in once when the customer signs out during it', async () => {
    const { client } = phone.open(signInPages);
    let reported = 0;
    phone.faults.network = (path) => {
      if (path.endsWith('/revoke')) reported++;
      return path === EXCHANGE ? 'late' : undefined;
    };
    const signingIn = codeOf(client.signIn());
    await world.time.advance(5_000);
    await settle(client.signOut());
    expect(await signingIn).toBe('SIGNED_OUT');
    await settle(client.resume());
    expect(reported).toBe(1);
  });

  test('rejects the code of an earlier sign-in once a later one has succeeded', async () => {
    const { client } = phone.open();
    await settle(client.signIn());
    await world.time.advance(1_000);
    await settle(client.signIn());
    await settle(client.completeSignIn(callbackOf('=s2')));
    expect(await codeOf(client.completeSignIn(callbackOf('=s1')))).toBe('FOREIGN_REDIRECT');
  });

  test('stores up to five sign-outs for the service, and drops one that it rejects', async () => {
    plan(phone, '');
    phone.faults.network = (path) => (path.endsWith('/revoke') ? 'offline' : undefined);
    for (let times = 0; times < 6; times++) await settle((await signedIn()).client.signOut());
    const storedText = () =>
      JSON.parse([...phone.texts].find(([key]) => key.endsWith('signOuts'))?.[1] ?? '[]');
    expect(storedText()).toHaveLength(5);
    for (const key of phone.texts.keys()) phone.texts.set(key, '[{"customerId":1,"refreshToken":"none"}]');
    phone.faults.network = () => undefined;
    await settle(phone.open().client.resume());
    expect(storedText()).toEqual([]);
  });
});

describe('a change whose refresh fails', () => {
  test('sends a change after its refresh has failed, and reports the last failure', async () => {
    const tab = await signedIn();
    const change = () => tab.client.request('mutation { a }');
    await world.time.advance(2 * HOUR_MS);
    plan(phone, REFRESH, 'offline');
    expect(await settle(change())).toEqual(OK);
    await world.time.advance(2 * HOUR_MS);
    plan(phone, REFRESH, 'offline', ...Array<NetworkFault>(9).fill('busy'));
    expect(await codeOf(change())).toBe('UNKNOWN');
  });
});

describe('a listener', () => {
  test('calls no listener that ends before the first session arrives', async () => {
    const { client } = await signedIn();
    const seen: unknown[] = [];
    client.onSession((session) => seen.push(session))();
    await world.time.advance(1_000);
    expect(seen).toEqual([]);
  });

  test('notifies a listener of another tab’s changes until it ends', async () => {
    const texts = createMemoryStorage();
    const watching = new Set<() => void>();
    const watch = (changed: () => void) => {
      watching.add(changed);
      return () => void watching.delete(changed);
    };
    const core = createCustomerCore({
      ...{ serviceUrl: 'https://service.example', shop: 'a.myshopify.com', openBrowser: async () => null },
      storage: { ...texts, watch },
    });
    const seen: string[] = [];
    const changed = () =>
      new Promise<void>((resolve) => void core.onSession(({ status }) => seen.push(status) && resolve()));
    await changed();
    texts.set('subscriptions.a.myshopify.com.session', '{"refreshToken":"r","customerId":1}');
    for (const notify of watching) notify();
    await core.session();
    await new Promise(setImmediate);
    expect(seen).toEqual(['signedOut', 'signedIn']);
    const end = core.onSession(() => undefined);
    expect(watching.size).toBe(2);
    end();
    expect(watching.size).toBe(1);
  });

  test('the first one ends what an earlier start left open, once for all', async () => {
    await waiting();
    let exchanges = 0;
    phone.faults.network = (path) => {
      if (path === EXCHANGE) exchanges++;
      return path === EXCHANGE ? 'offline' : undefined;
    };
    const { client } = phone.open();
    client.onSession(() => undefined);
    await world.time.advance(10 * MINUTE_MS);
    expect(exchanges).toBe(5);
    client.onSession(() => undefined);
    await world.time.advance(10 * MINUTE_MS);
    expect(exchanges).toBe(5);
    phone.faults.network = () => undefined;
    phone.open().client.onSession(() => undefined);
    await world.time.advance(MINUTE_MS);
    expect(await settle(client.session())).toMatchObject({ status: 'signedIn' });
  });
});

test('resume reports a storage that fails while it looks for pending sign-outs', async () => {
  const { client } = await signedIn();
  let reads = 0;
  phone.faults.storage = () => (++reads === 3 ? 'before' : undefined);
  expect(await codeOf(client.resume())).toBe('STORAGE');
  expect(await settle(client.resume())).toMatchObject({ status: 'signedIn' });
});
