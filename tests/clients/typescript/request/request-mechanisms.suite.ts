/**
 * Tests the mechanisms of tokens and requests that have no effect without faults: each test fails without its
 * mechanism.
 */
import { describe, expect, test } from '@jest/globals';
import {
  createMemoryStorage,
  type Environment,
  ServiceError,
} from '../../../../clients/typescript/src/client.ts';
import { createCustomerCore } from '../../../../clients/typescript/src/customer-core.ts';
import { createEnvironment } from '../../../../clients/typescript/src/device/environment.ts';
import { isFinal } from '../../../../clients/typescript/src/errors/service-error.ts';
import { createRequest } from '../../../../clients/typescript/src/request/create-request.ts';
import {
  isAccessTokenUsable,
  toStoredSession,
} from '../../../../clients/typescript/src/session/token-pair.ts';
import { type Answer, askAgainst, done, html, json, refused } from '../world/ask-against.ts';
import { HOUR_MS } from '../world/fresh-world.ts';
import { merchantOf } from '../world/merchant-of.ts';

const MINUTE_MS = 60_000;

describe('a token', () => {
  const answer = (more: object = {}, servedAtMs?: number) => ({
    ...{ requestId: undefined, servedAtMs },
    json: {
      accessToken: 'a',
      refreshToken: 'r',
      customerId: 1,
      expiresAt: new Date(HOUR_MS).toISOString(),
      ...more,
    },
  });
  const lifetimeMs = (nowMs: number, servedAtMs?: number) =>
    toStoredSession(answer({}, servedAtMs), { state: 's', nowMs }).lifeMs;

  test('lives as long as the service says, by its own clock, within 10 minutes and an hour', () => {
    expect(lifetimeMs(30 * MINUTE_MS)).toBe(30 * MINUTE_MS);
    expect(lifetimeMs(-9 * HOUR_MS, 20 * MINUTE_MS)).toBe(40 * MINUTE_MS);
    expect(lifetimeMs(-9 * HOUR_MS)).toBe(HOUR_MS);
    expect(lifetimeMs(9 * HOUR_MS)).toBe(10 * MINUTE_MS);
  });

  test('is replaced two minutes before its end', () => {
    const stored = toStoredSession(answer(), { state: 's', nowMs: 0 });
    const isGoodAt = (nowMs: number) => isAccessTokenUsable(stored, { nowMs, refused: undefined });
    expect([57, 59].map((minutes) => isGoodAt(minutes * MINUTE_MS))).toEqual([true, false]);
  });

  test.each(['accessToken', 'refreshToken', 'customerId', 'expiresAt'])('without %s is none', (name) => {
    expect(() => toStoredSession(answer({ [name]: undefined }), { state: 's', nowMs: 0 })).toThrow(
      'not of the service',
    );
  });
});

describe('a request', () => {
  const answering = (...answers: readonly Answer[]) => {
    const sent: Record<string, string>[] = [];
    let keys = 0;
    const environment = createEnvironment({
      createKey: () => `key-${++keys}`,
      fetch: async (_, { body }) => {
        sent.push(JSON.parse(body).variables);
        return (answers[sent.length - 1] ?? answers.at(-1) ?? done)();
      },
      // Limits are never over, and waits are at once.
      setTimer: (work, ms) => {
        if (ms < 10_000) queueMicrotask(work);
        return () => undefined;
      },
    });
    return { sent, wire: { serviceUrl: 'https://service.example', environment, deadlineMs: 11_000 } };
  };

  test('has keys of its own, one for each place', async () => {
    const { sent, wire } = answering(done);
    const request = createRequest({ ...wire, path: '/', authorize: async () => 'token' });
    const document = 'mutation ($k: String!, $l: String!) { a @idempotent(key: $k) b @idempotent(key: $l) }';
    for (const _time of ['first', 'second']) await request(document);
    expect(sent).toEqual([1, 2].map((call) => ({ k: `key-${call}`, l: `key-${call}.l` })));
  });

  test('asks for one other credential, and no third', async () => {
    const { sent, wire } = answering(refused('UNAUTHENTICATED'));
    const authorize = async () => `token-${Math.min(sent.length, 4)}`;
    const pending = createRequest({ ...wire, path: '/', authorize })('{ a }');
    await expect(pending).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(sent).toHaveLength(2);
  });

  test('leaves no timer behind, and takes a page that somebody else sends it to for no answer', async () => {
    const { wire } = answering(done);
    let running = 0;
    const setTimer = () => {
      running++;
      return () => void running--;
    };
    const environment = { ...wire.environment, setTimer };
    await createRequest({ ...wire, environment, path: '/', authorize: async () => 'a' })('{ a }');
    expect(running).toBe(0);
    const { error } = await askAgainst([html(302)], { document: 'mutation { a }' });
    expect(error?.code).toBe('NETWORK');
  });

  test('goes to the address without a doubled slash; an error without a header has the id of its body', async () => {
    const urls: string[] = [];
    const { wire } = answering(done);
    const fetch: Environment['fetch'] = async (url) => {
      urls.push(url);
      return json(400, { error: { code: 'INVALID_JSON', requestId: 'r-1' } })();
    };
    const parts = {
      ...wire,
      serviceUrl: 'https://service.example//',
      environment: { ...wire.environment, fetch },
    };
    const pending = createRequest({ ...parts, path: '/path', authorize: async () => 'a' })('{ a }');
    await expect(pending).rejects.toMatchObject({ code: 'INVALID_JSON', requestId: 'r-1' });
    expect(urls).toEqual(['https://service.example/path']);
  });

  test.each(['STORAGE', 'UNKNOWN', 'NETWORK', 'THROTTLED'])(
    '%s is no word on a sign-in or sign-out',
    (code) => {
      expect(isFinal(new ServiceError(code, { status: 404 }))).toBe(false);
      expect(isFinal(new ServiceError('INVALID_NONCE', { status: 401 }))).toBe(true);
    },
  );

  test('tells that it waits, and that it does no more; how long is spread', async () => {
    const reported: unknown[] = [];
    const { wire } = answering(html(503), done);
    const onWaiting = (error: ServiceError | null) => void reported.push(error?.status ?? null);
    await createRequest({ ...wire, deadlineMs: MINUTE_MS, onWaiting, path: '/', authorize: async () => 'a' })(
      '{ a }',
    );
    expect(reported).toEqual([503, null]);
    const waits = await Promise.all(
      [0, 0.9].map((random) => askAgainst([html(503)], { document: '{ a }' }, random)),
    );
    expect(waits[0]?.waits[0]).toBeLessThan(waits[1]?.waits[0] ?? 0);
  });

  test('has no longer than its deadline when the clock is put back meanwhile', async () => {
    const { wire, sent } = answering(json(429, {}, { 'retry-after': '90' }));
    const environment = { ...wire.environment, now: () => (sent.length > 0 ? 0 : 9 * HOUR_MS) };
    const parts = { ...wire, environment, deadlineMs: MINUTE_MS, path: '/', authorize: async () => 'a' };
    await expect(createRequest(parts)('{ a }')).rejects.toMatchObject({ retryAfterMs: 90_000 });
    expect(sent).toHaveLength(1);
  });

  test.each(['authUrl', 'state', 'verifier', 'nonce', 'redirectUri'])(
    'opens no browser for a start without %s',
    async (name) => {
      const started = { authUrl: 'a', state: 's', verifier: 'v', nonce: 'n', redirectUri: 'r' };
      const { wire } = answering(json(200, { ...started, [name]: undefined }));
      const opened: unknown[] = [];
      const openBrowser = async (request: unknown) => {
        opened.push(request);
        return null;
      };
      const core = createCustomerCore({
        ...wire,
        shop: 'a.myshopify.com',
        storage: createMemoryStorage(),
        openBrowser,
      });
      await expect(core.signIn()).rejects.toMatchObject({ code: 'NETWORK' });
      expect(opened).toEqual([]);
    },
  );
});

test('a list whose cursor stays where it was is over', async () => {
  const page = { nodes: [{ id: 'a' }], pageInfo: { hasNextPage: true, endCursor: 'same' } };
  const found: unknown[] = [];
  for await (const one of merchantOf(
    json(200, { data: { subscriptionContracts: page } }),
  ).subscriptions.all())
    if (found.push(one) > 5) break;
  expect(found).toHaveLength(2);
});

test('each code of the client’s own has a sentence for developers', () => {
  const own = [
    'NETWORK',
    'STORAGE',
    'SIGNED_OUT',
    'CANCELLED',
    'FOREIGN_REDIRECT',
    'SIGN_IN_REFUSED',
    'UNKNOWN',
  ];
  for (const code of own) expect(new ServiceError(code).message).toMatch(/^[A-Z].* .*\.$/);
  expect(new ServiceError('MADE_LATER').message).toBe('MADE_LATER');
});
