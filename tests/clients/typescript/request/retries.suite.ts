/** Requests of clients/typescript that are sent again: which, when, and under which key. */
import { describe, expect, test } from '@jest/globals';
import {
  createMerchantClient,
  type Environment,
  ServiceError,
} from '../../../../clients/typescript/src/client.ts';
import {
  askAgainst,
  CHANGE,
  done,
  hangs,
  html,
  json,
  KEYED,
  lost,
  QUERY,
  refused,
} from '../world/ask-against.ts';
import { createTimeline } from '../world/timeline.ts';

describe('what is sent again', () => {
  test.each([
    ['a query', QUERY, 5],
    ['a change', CHANGE, 1],
    ['a change with a key', KEYED, 5],
  ])(
    'retries %s only if that is safe when the response is lost or not the service’s',
    async (_, document, times) => {
      for (const answer of [lost, html(200), html(502), json(200, {}), async () => new Response('{"data":')])
        expect(await askAgainst([answer], { document })).toMatchObject({
          error: expect.any(ServiceError),
          times,
        });
    },
  );

  test.each([QUERY, CHANGE, KEYED])('%s that was not run', async (document) => {
    for (const answer of [html(429), html(503), refused('THROTTLED'), refused('PLATFORM_UNAVAILABLE', 200)])
      expect(await askAgainst([answer, done], { document })).toMatchObject({
        given: { data: { a: 1 }, errors: [] },
        times: 2,
      });
  });

  test.each([QUERY, CHANGE, KEYED])('%s that is refused: never', async (document) => {
    for (const code of [
      'STORE_DISCONNECTED',
      'STORE_ACCESS_MISSING',
      'FORBIDDEN',
      'NOT_RUN',
      'UNAUTHENTICATED',
    ])
      expect(await askAgainst([refused(code)], { document })).toMatchObject({ error: { code }, times: 1 });
    expect(await askAgainst([html(404)], { document })).toMatchObject({
      error: { code: 'UNKNOWN', status: 404 },
      times: 1,
    });
  });

  test('a change keeps its key over its tries, and the next one has another', async () => {
    const { sent } = await askAgainst([lost, refused('INTERNAL_ERROR'), html(502), done], {
      document: KEYED,
    });
    expect(sent.map(({ body }) => body.variables)).toEqual(Array(4).fill({ key: 'key-1' }));
    const first = await askAgainst([lost, done], { document: KEYED, options: { idempotencyKey: 'mine' } });
    expect(first.sent.map(({ body }) => body.variables.key)).toEqual(['mine', 'mine']);
    const given = await askAgainst([done], { document: KEYED, variables: { key: 'given' } });
    expect(given.sent[0]?.body.variables).toEqual({ key: 'given' });
    const undefinedKey = await askAgainst([done], { document: KEYED, variables: { key: undefined } });
    expect(undefinedKey.sent[0]?.body.variables).toEqual({ key: 'key-1' });
  });

  test('a key without a place in the document is a mistake', async () => {
    const { error } = await askAgainst([done], { document: CHANGE, options: { idempotencyKey: 'mine' } });
    expect(error).toBeInstanceOf(TypeError);
  });

  test('retries OUTCOME_UNKNOWN under the same key, and reports it when it comes a second time', async () => {
    const running = refused('IDEMPOTENCY_CONCURRENT_REQUEST', 200, { retryAfterSeconds: 20 });
    const unknown = refused('OUTCOME_UNKNOWN');
    const settled = await askAgainst([unknown, running, done], { document: KEYED });
    expect(settled).toMatchObject({ given: { data: { a: 1 } }, times: 3 });
    expect(settled.waits[1]).toBeGreaterThanOrEqual(20);
    expect(await askAgainst([unknown], { document: KEYED })).toMatchObject({
      error: { code: 'OUTCOME_UNKNOWN' },
      times: 2,
    });
    expect(await askAgainst([unknown], { document: CHANGE })).toMatchObject({
      error: { code: 'OUTCOME_UNKNOWN' },
      times: 1,
    });
  });

  test('reports a lost response rather than a later rejection, because the change may have run', async () => {
    const { error, times } = await askAgainst([lost, refused('THROTTLED')], { document: KEYED });
    expect([error?.code, times]).toEqual(['NETWORK', 5]);
  });
});

describe('when it is sent again', () => {
  test.each([0, 0.5, 0.999])(
    'a limit that names no time: in a second, doubling, spread (%d)',
    async (random) => {
      const { waits } = await askAgainst([html(429)], { document: CHANGE }, random);
      expect(waits).toHaveLength(4);
      waits.forEach((seconds, index) => {
        expect(seconds).toBeGreaterThanOrEqual(0.75 * 2 ** index);
        expect(seconds).toBeLessThanOrEqual(Math.min(8, 1.25 * 2 ** index));
      });
    },
  );

  test.each([
    ['20', 20, 25],
    ['0', 0.75, 1.25],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0.75, 1.25],
    ['-5', 0.75, 1.25],
    ['1e9', 0.75, 1.25],
    ['', 0.75, 1.25],
  ])('waits for Retry-After %j between %d and %d s', async (retryAfter, minimum, maximum) => {
    const { waits } = await askAgainst([json(429, {}, { 'retry-after': retryAfter })], { document: CHANGE });
    expect(waits[0]).toBeGreaterThanOrEqual(minimum);
    expect(waits[0]).toBeLessThanOrEqual(maximum);
  });

  test('reports the earlier error when the deadline interrupts a query', async () => {
    const options = { deadlineMs: 10_000 };
    const cut = await askAgainst([refused('PLATFORM_UNAVAILABLE'), hangs], { document: QUERY, options });
    expect([cut.error?.code, cut.tookMs]).toEqual(['PLATFORM_UNAVAILABLE', 10_000]);
    const change = await askAgainst([refused('PLATFORM_UNAVAILABLE'), hangs], { document: KEYED, options });
    expect(change.error?.code).toBe('NETWORK');
  });

  test('reports a retry time later than the deadline without waiting', async () => {
    const busy = json(429, { errors: [{ extensions: { code: 'THROTTLED' } }] }, { 'retry-after': '300' });
    const { error, times, tookMs } = await askAgainst([busy], { document: QUERY });
    expect([error?.code, error?.retryAfterMs, times, tookMs]).toEqual(['THROTTLED', 300_000, 1, 0]);
  });

  test('a customer’s changes in a row, more than the limit lets in at once, are each made once and none is thrown', async () => {
    const time = createTimeline(0);
    const made: string[] = [];
    let [points, atMs, refusals] = [60, 0, 0];
    const fetch: Environment['fetch'] = async (_, { body }) => {
      points = Math.min(60, points + ((time.now() - atMs) / 1000) * 5);
      atMs = time.now();
      if (points < 25) {
        refusals++;
        return json(429, {}, { 'retry-after': `${Math.ceil((25 - points) / 5)}` })();
      }
      points -= 25;
      made.push(JSON.parse(body).variables.idempotencyKey);
      return json(200, { data: { change: { contract: null, userErrors: [] } } })();
    };
    let keys = 0;
    const environment = { fetch, now: time.now, setTimer: time.setTimer, createKey: () => `key-${++keys}` };
    const { subscriptions } = createMerchantClient({
      ...{ serviceUrl: 'https://service.example', adminKey: 'SVC_AK_1', environment },
    }).forCustomer('c');
    const inARow = async () => {
      for (let change = 0; change < 9; change++) await subscriptions.pause({ contractId: 'c' });
    };
    await time.settle(inARow());
    expect(made).toEqual(Array.from({ length: 9 }, (_, index) => `key-${index + 1}`));
    expect(refusals).toBeGreaterThanOrEqual(6);
  });

  test.each([
    ['no answer', hangs],
    ['a body that never ends', async () => ({ status: 200, headers: new Headers(), text: hangs }) as never],
  ])('%s: another try after 25 s, and the end at the deadline', async (_, answer) => {
    const { error, times, tookMs, signals } = await askAgainst([answer], { document: QUERY });
    expect([error?.code, times, tookMs]).toEqual(['NETWORK', 3, 60_000]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    const soon = await askAgainst([answer], { document: QUERY, options: { deadlineMs: 3_000 } });
    expect([soon.error?.code, soon.times, soon.tookMs]).toEqual(['NETWORK', 1, 3_000]);
  });
});
