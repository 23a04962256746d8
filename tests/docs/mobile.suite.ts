/** The TypeScript of docs/examples/mobile works against the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { listSubscriptions, startApp } from '../../docs/examples/mobile/app.ts';
import { ask } from '../../docs/examples/mobile/ask.ts';
import { createTurns, type Device, readStored } from '../../docs/examples/mobile/device.ts';
import { type Session, storeSession } from '../../docs/examples/mobile/session.ts';
import { finishExchange, signIn } from '../../docs/examples/mobile/sign-in.ts';
import { signOut } from '../../docs/examples/mobile/sign-out.ts';
import { playSignInPages } from '../../infra/emulators/sign-in-pages.ts';
import { stack } from '../contract/world/shared-stack.ts';
import type { TestStack } from '../stack.ts';

const FOLDER = 'docs/examples/mobile';
const EMAIL = 'ada@example.com';
const NAME = 'query Name($id: ID!) { customer(id: $id) { firstName } }';

type Phone = Device & { readonly waits: number[]; readonly kept: Map<string, string> };

/** Each of `addresses` in turn stands for the service, then the service itself. It alone is really waited for. */
function createPhone(stack: TestStack, ...addresses: readonly string[]): Phone {
  const kept = new Map<string, string>();
  const waits: number[] = [];
  const left = [...addresses];
  return {
    get serviceUrl() {
      return left.shift() ?? stack.baseUrl;
    },
    shop: stack.shop,
    storage: {
      read: async (key) => kept.get(key) ?? null,
      write: async (key, text) => void kept.set(key, text),
      remove: async (key) => void kept.delete(key),
    },
    inTurn: createTurns(),
    openBrowser: (authUrl) =>
      playSignInPages({
        authUrl,
        email: EMAIL,
        readCode: () => stack.control.oneTimeCode(EMAIL),
        seen: () => undefined,
      }),
    now: Date.now,
    wait: async (seconds) => {
      waits.push(seconds);
      if (left.length === 0) await sleep(seconds * 1000);
    },
    waits,
    kept,
  };
}

const sessionOf = async (phone: Phone) => (await readStored<Session>(phone, 'session')) as Session;

/** What React Native lacks, or lacked for long: none of it is there for the app's code alone. */
function takeAway(owner: object, name: string): () => void {
  const real = Reflect.get(owner, name);
  const missing = function (this: unknown, ...args: unknown[]) {
    const [, , caller = ''] = String(new Error().stack).split('\n');
    if (caller.includes(FOLDER)) throw new TypeError(`${name} is not there on this device`);
    return real.apply(this, args);
  };
  Reflect.set(owner, name, missing);
  return () => void Reflect.set(owner, name, real);
}

type Answered = { path: string; status: number };

/** What the service has answered since; 0 where nothing came. */
function watchAnswers({ baseUrl }: TestStack): () => Promise<Answered[]> {
  const { mock } = jest.spyOn(globalThis, 'fetch');
  return async () => {
    const answers = await Promise.all(
      mock.calls.map(async ([address], index) => {
        const answer = await Promise.resolve(mock.results[index]?.value as Promise<Response>).catch(
          () => null,
        );
        return { path: `${address}`, status: answer?.status ?? 0 };
      }),
    );
    return answers.filter(({ path }) => path.startsWith(baseUrl));
  };
}

describe('docs/examples/mobile', () => {
  let giveBack: (() => void)[] = [];
  beforeAll(() => {
    const names = ['get', 'has', 'getAll', 'entries', 'forEach', Symbol.iterator] as string[];
    const parameters = names.map((name) => takeAway(URLSearchParams.prototype, name));
    giveBack = [takeAway(AbortSignal, 'timeout'), ...parameters];
  });
  afterAll(() => {
    for (const back of giveBack) back();
  });
  afterEach(() => void jest.restoreAllMocks());

  test('signs in, asks, refreshes once for many, signs out', async () => {
    const phone = createPhone(stack);
    const answersSoFar = watchAnswers(stack);
    expect(await startApp(phone)).toBe(false);
    await signIn(phone);
    expect(await startApp(phone)).toBe(true);
    const listed = await listSubscriptions(phone);
    expect([listed.errors, listed.data.customer.subscriptionContracts.nodes.length > 0]).toEqual([[], true]);
    const first = await sessionOf(phone);
    const id = `gid://platform/Customer/${first.customerId}`;
    expect(await ask(phone, { query: NAME, variables: { id } })).toEqual({
      data: { customer: { firstName: 'Ada' } },
      errors: [],
    });
    await storeSession({ ...phone, now: () => 0 }, { ...first, expiresAt: new Date().toISOString() });
    const answers = await Promise.all([1, 2, 3].map(() => ask(phone, { query: NAME, variables: { id } })));
    expect(answers).toHaveLength(3);
    expect((await sessionOf(phone)).refreshToken).not.toBe(first.refreshToken);
    const refreshes = (await answersSoFar()).filter(({ path }) => path.endsWith('/refresh'));
    expect(refreshes.filter(({ status }) => status === 200)).toHaveLength(1);
    await storeSession(phone, { ...(await sessionOf(phone)), accessToken: 'SVC_CT_refused' });
    expect(await ask(phone, { query: NAME, variables: { id } })).toEqual(answers[0]);
    await signOut(phone);
    expect([...phone.kept]).toEqual([]);
    await expect(ask(phone, { query: NAME, variables: { id } })).rejects.toMatchObject({
      code: 'SIGNED_OUT',
    });
    // A busy machine may answer 503: that alone is waited for.
    const passing = (await answersSoFar()).filter(({ status }) => [0, 429, 503].includes(status));
    expect(phone.waits).toHaveLength(passing.length);
  });

  test('takes no code from another address or with another state', async () => {
    const phone = createPhone(stack);
    for (const callback of [
      'shop.1.evil://callback?code=c&state=s',
      'HERE?code=c&state=s',
      'HERE?state=%&code=c',
      'HERE',
    ]) {
      const openBrowser = async (_: string, here: string) => callback.replace('HERE', here);
      await expect(signIn({ ...phone, openBrowser })).rejects.toMatchObject({ code: 'FOREIGN_REDIRECT' });
    }
    expect([...phone.kept]).toEqual([]);
  });

  test('a service out of reach costs nothing: the exchange, the tokens and the sign-out are kept', async () => {
    const nowhere = 'http://127.0.0.1:1';
    const phone = createPhone(stack, stack.baseUrl, ...Array(5).fill(nowhere));
    await expect(signIn(phone)).rejects.toMatchObject({ code: 'NETWORK' });
    expect([...phone.kept.keys()]).toEqual(['pending-exchange']);
    expect(phone.waits).toHaveLength(4);
    await finishExchange(phone);
    const session = await sessionOf(phone);
    const away = { ...createPhone(stack, ...Array(99).fill(nowhere)), storage: phone.storage };
    await expect(ask(away, { query: NAME })).rejects.toMatchObject({ code: 'NETWORK' });
    expect(await sessionOf(phone)).toEqual(session);
    await signOut(away);
    expect([...phone.kept.keys()]).toEqual(['pending-revocation']);
    await signOut(phone);
    expect([...phone.kept.keys()]).toEqual([]);
  });
});
