/** What a caller decides about one call of clients/typescript: when it ends, and who observes it. */
import { describe, expect, test } from '@jest/globals';
import {
  createMerchantClient,
  type Environment,
  isServiceError,
  type RequestInfo,
  type ResponseInfo,
  type ServiceError,
} from '../../../../clients/typescript/src/client.ts';
import { createCustomerCore } from '../../../../clients/typescript/src/customer-core.ts';
import { createMemoryStorage } from '../../../../clients/typescript/src/storage/memory-storage.ts';
import {
  type Answer,
  askAgainst,
  CHANGE,
  done,
  hangs,
  json,
  KEYED,
  lost,
  QUERY,
} from '../world/ask-against.ts';
import { createTimeline } from '../world/timeline.ts';

const codeOf = (pending: Promise<unknown>) =>
  pending.then(
    () => 'done',
    (error: ServiceError) => error.code,
  );

describe('a signal', () => {
  test.each([
    ['before the request is sent', 0, 0],
    ['while the service does not respond', 2_000, 1],
    ['while the client waits for a retry', 2_000, 1],
  ])('a signal that is aborted %s ends the call immediately', async (when, afterMs, times) => {
    const time = createTimeline(0);
    const aborting = new AbortController();
    const signals: AbortSignal[] = [];
    let sent = 0;
    const answer = when.includes('retry') ? json(429, {}, { 'retry-after': '5' }) : hangs;
    const environment: Partial<Environment> = {
      now: time.now,
      setTimer: time.setTimer,
      fetch: (_, { signal }) => {
        sent++;
        signals.push(signal as AbortSignal);
        return answer();
      },
    };
    const client = createMerchantClient({ serviceUrl: 'https://a', adminKey: 'SVC_AK_1', environment });
    if (afterMs === 0) aborting.abort();
    else time.setTimer(() => aborting.abort(), afterMs);
    const pending = codeOf(client.request(QUERY, {}, { signal: aborting.signal }));
    expect(await time.settle(pending)).toBe('ABORTED');
    expect([time.now(), sent]).toEqual([afterMs, times]);
    if (answer === hangs) expect(signals.every(({ aborted }) => aborted)).toBe(true);
    await time.advance(60_000);
    expect(sent).toBe(times);
  });

  test('a signal that is aborted after the response changes nothing, and the call leaves no listener on it', async () => {
    let listeners = 0;
    const signal = {
      aborted: false,
      addEventListener: () => void listeners++,
      removeEventListener: () => void listeners--,
    };
    const { given } = await askAgainst([lost, done], { document: QUERY, options: { signal } });
    expect(given).toEqual({ data: { a: 1 }, errors: [] });
    expect(listeners).toBe(0);
  });
});

describe('a customer’s call', () => {
  const world = (...answers: readonly Answer[]) => {
    const time = createTimeline(0);
    let sent = 0;
    const storage = createMemoryStorage();
    const requests: RequestInfo[] = [];
    const responses: ResponseInfo[] = [];
    const headers: Record<string, string>[] = [];
    const core = createCustomerCore({
      ...{ serviceUrl: 'https://a', shop: 'a.myshopify.com', storage, openBrowser: async () => null },
      appInfo: { name: 'harbor-app', version: '1.2.3' },
      onRequest: (info) => {
        requests.push(info);
        throw new Error('An app’s mistake.');
      },
      onResponse: (info) => responses.push(info),
      environment: {
        ...{ now: time.now, setTimer: time.setTimer, random: () => 0.5 },
        fetch: (_, init) => {
          headers.push(init.headers);
          return (answers[Math.min(sent++, answers.length - 1)] as Answer)();
        },
      },
    });
    const signedIn = {
      customerId: 1,
      accessToken: 'secret',
      refreshToken: 'r',
      receivedAtMs: 0,
      lifeMs: 3.6e6,
      state: 's',
    };
    void storage.set('subscriptions.a.myshopify.com.session', JSON.stringify(signedIn));
    return { core, time, requests, responses, headers };
  };

  test.each([
    ['a change', KEYED, 8_000],
    ['a query', QUERY, 60_000],
  ])('%s ends after its own time limit', async (_, document, limitMs) => {
    const { core, time } = world(hangs);
    expect(await time.settle(codeOf(core.request(document)))).toBe('NETWORK');
    expect(time.now()).toBe(limitMs);
  });

  test('a call calls its own onWaiting during a retry', async () => {
    const { core, time } = world(json(429, {}, { 'retry-after': '1' }), done);
    const waitErrors: (string | undefined)[] = [];
    const onWaiting = (error: ServiceError | null) => void waitErrors.push(error?.code);
    await time.settle(core.request(CHANGE, {}, { onWaiting }));
    expect(waitErrors).toEqual(['UNKNOWN', undefined]);
  });

  test('the observer receives each attempt without a token, even if a listener throws', async () => {
    const { core, time, requests, responses, headers } = world(
      lost,
      json(200, { data: { a: 1 } }, { 'x-request-id': 'r-7' }),
    );
    await time.settle(core.request('query Mine { a }'));
    const info = { method: 'POST', operationName: 'Mine' };
    expect(requests).toEqual([
      { ...info, attempt: 1 },
      { ...info, attempt: 2 },
    ]);
    expect(responses).toEqual([
      { ...info, attempt: 1, status: 0, durationMs: 0, requestId: undefined },
      { ...info, attempt: 2, status: 200, durationMs: 0, requestId: 'r-7' },
    ]);
    expect(JSON.stringify([requests, responses])).not.toContain('secret');
    expect(headers.map((each) => each['x-app-info'])).toEqual(['harbor-app/1.2.3', 'harbor-app/1.2.3']);
  });

  test.each([
    ['{ a }', ''],
    ['query @on { a }', ''],
    ['fragment F on A { b } mutation Change { a }', 'Change'],
  ])('the observer receives the name of %j, which is %j', async (document, operationName) => {
    const { core, time, requests } = world(done);
    await time.settle(core.request(document));
    expect(requests).toMatchObject([{ operationName }]);
  });

  test('the observer receives the steps of the sign-in', async () => {
    const { core, time, requests } = world(json(400, { error: { code: 'INVALID_SHOP' } }));
    const pending = core.signIn().catch((error: unknown) => isServiceError(error, 'INVALID_SHOP'));
    expect(await time.settle(pending)).toBe(true);
    expect(requests).toEqual([{ method: 'POST', operationName: 'start', attempt: 1 }]);
  });
});
