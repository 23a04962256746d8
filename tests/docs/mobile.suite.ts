/** clients/typescript against the running service, without what React Native lacks. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createCustomerClient,
  createMemoryStorage,
  type Environment,
  lastPayment,
} from '../../clients/typescript/src/client.ts';
import { completeSignInPages } from '../../sandbox/sign-in-pages.ts';
import { stack } from '../contract/world/shared-stack.ts';

const FOLDER = 'clients/typescript';
const HOUR_MS = 3_600_000;
const NAME = 'query Name($id: ID!) { customer(id: $id) { firstName } }';

type Answered = { readonly path: string; readonly status: number };

/** A phone whose service is out of reach while `isAway`, and whose clock can be moved. */
function createPhone(email = 'ada@example.com') {
  const state = { isAway: false, aheadMs: 0 };
  const answers: Answered[] = [];
  const texts = createMemoryStorage();
  const fetchOrFail: Environment['fetch'] = async (url, { method, headers, body }) => {
    const path = new URL(url).pathname;
    if (state.isAway) throw new TypeError('Network request failed');
    const response = await fetch(url, { method, headers, body });
    answers.push({ path, status: response.status });
    return response;
  };
  const open = () =>
    createCustomerClient({
      ...{ serviceUrl: stack.baseUrl, shop: stack.shop, storage: texts, deadlineMs: 60_000 },
      openBrowser: ({ authUrl }) =>
        completeSignInPages({
          ...{ authUrl, email },
          readCode: () => stack.control.oneTimeCode(email),
          onPage: () => undefined,
        }),
      environment: {
        fetch: fetchOrFail,
        now: () => Date.now() + state.aheadMs,
        // While the service is unreachable, waits take no time.
        setTimer: (work, ms) => {
          const timer = setTimeout(work, state.isAway && ms < 20_000 ? 0 : ms);
          return () => clearTimeout(timer);
        },
      },
    });
  return { state, answers, open, stored: (key: string) => texts.get(`subscriptions.${stack.shop}.${key}`) };
}

/** Removes a function that React Native lacks, or lacked until recently, but only for calls of the client. */
function takeAway(owner: object, name: string | symbol): () => void {
  const real = Reflect.get(owner, name);
  const missing = function (this: unknown, ...args: unknown[]) {
    const [, , caller = ''] = String(new Error().stack).split('\n');
    if (caller.includes(FOLDER)) throw new TypeError(`${String(name)} is not there on this device`);
    return real.apply(this, args);
  };
  Reflect.set(owner, name, missing);
  return () => void Reflect.set(owner, name, real);
}

describe('clients/typescript', () => {
  let restoreStubs: (() => void)[] = [];
  beforeAll(() => {
    const names = ['get', 'has', 'getAll', 'entries', 'forEach', Symbol.iterator];
    const parameters = names.map((name) => takeAway(URLSearchParams.prototype, name));
    restoreStubs = [takeAway(AbortSignal, 'timeout'), takeAway(globalThis, 'structuredClone'), ...parameters];
  });
  afterAll(() => {
    for (const back of restoreStubs) back();
  });

  test('signs in, asks, refreshes once for many, signs out', async () => {
    const phone = createPhone();
    const client = phone.open();
    expect(await client.resume()).toMatchObject({ status: 'signedOut' });
    const session = await client.signIn();
    if (session.status !== 'signedIn') throw new Error(session.status);
    const variables = { id: `gid://platform/Customer/${session.customerId}` };
    const ask = () => client.request(NAME, variables);
    const answer = { data: { customer: { firstName: 'Ada' } }, errors: [] };
    expect(await ask()).toMatchObject(answer);
    phone.state.aheadMs = HOUR_MS;
    expect(await Promise.all([ask(), ask(), ask()])).toMatchObject([answer, answer, answer]);
    const refreshes = phone.answers.filter(({ path }) => path.endsWith('/refresh'));
    expect(refreshes.filter(({ status }) => status === 200)).toHaveLength(1);
    await client.signOut();
    expect(await client.resume()).toMatchObject({ status: 'signedOut' });
    expect(phone.answers.at(-1)).toEqual({ path: '/headless-auth/revoke', status: 200 });
    expect([phone.stored('session'), phone.stored('signIns'), phone.stored('signOuts')]).toEqual([
      null,
      null,
      null,
    ]);
    await expect(ask()).rejects.toMatchObject({ code: 'SIGNED_OUT' });
  });

  test('a service out of reach costs nothing: the exchange, the tokens and the sign-out are kept', async () => {
    const phone = createPhone();
    const client = phone.open();
    const leaving = client.onSession(() => undefined);
    await client.signIn();
    leaving();
    phone.state.isAway = true;
    await expect(client.request(NAME)).rejects.toMatchObject({ code: 'NETWORK' });
    phone.state.aheadMs = 2 * HOUR_MS;
    await expect(client.request(NAME)).rejects.toMatchObject({ code: 'NETWORK' });
    expect(await client.session()).toMatchObject({ status: 'signedIn' });
    await client.signOut();
    expect(await client.resume()).toMatchObject({ status: 'signedOut' });
    expect(phone.stored('signOuts')).toContain('SVC_RT_');
    phone.state.isAway = false;
    await phone.open().resume();
    expect(phone.stored('signOuts')).toBeNull();
    expect(phone.answers.at(-1)).toEqual({ path: '/headless-auth/revoke', status: 200 });
  });

  test('the last payment tells Ben when and why it was declined, and he has another card', async () => {
    const client = createPhone('ben@example.com').open();
    await client.signIn();
    const { nodes } = await client.subscriptions.list();
    const [subscription] = nodes;
    expect(subscription?.lastPaymentStatus).toBe('FAILED');
    expect(await lastPayment(client, { contractId: `${subscription?.id}` })).toEqual({
      ...{ outcome: 'DECLINED', errorCode: 'CARD_DECLINED', nextActionUrl: null, errors: [] },
      ...{ createdAt: expect.any(String), completedAt: expect.any(String) },
    });
    const methods = await client.account.paymentMethods();
    expect(methods.nodes.map(({ instrument }) => instrument)).toMatchObject([
      { lastDigits: '4444' },
      { lastDigits: '1881' },
    ]);
  });
});
