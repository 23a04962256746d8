/** Requests of clients/typescript: what is sent again, when, and under which key. The service is played by a function. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { getOperationAST, parse } from 'graphql';
import {
  createCustomerClient,
  createMemoryStorage,
  createMerchantClient,
  type Environment,
  isServiceError,
  type RequestOptions,
  ServiceError,
} from '../../../clients/typescript/src/client.ts';
import { isPassing, mayHaveRun } from '../../../clients/typescript/src/request/can-repeat.ts';
import { readOperation } from '../../../clients/typescript/src/request/read-operation.ts';
import { errorAdvice } from '../../../infra/tools/generate/error-advice.ts';
import { catalogue, type ErrorCode, hasRetryAfter } from '../../../lib/errors/catalogue.ts';
import { createTimeline } from './world/timeline.ts';

type Answer = () => Promise<Response>;
type Sent = {
  readonly body: { readonly variables: Record<string, unknown> };
  readonly headers: Record<string, string>;
};
type Asked = {
  readonly document: string;
  readonly variables?: Record<string, unknown>;
  readonly options?: RequestOptions;
};

/** What comes of a request if the service answers so, in turn, the last one for ever: what is given or thrown, the waits, the requests. */
async function askAgainst(answers: readonly Answer[], { document, variables, options }: Asked, random = 0.5) {
  const time = createTimeline(0);
  const sent: Sent[] = [];
  const sentAtMs: number[] = [];
  const signals: AbortSignal[] = [];
  let keys = 0;
  const environment: Partial<Environment> = {
    now: time.now,
    setTimer: time.setTimer,
    random: () => random,
    createKey: () => `key-${++keys}`,
    async fetch(_, { body, headers, signal }) {
      signals.push(signal as AbortSignal);
      const answer = answers[Math.min(sent.length, answers.length - 1)] ?? lost;
      sent.push({ body: JSON.parse(body), headers });
      sentAtMs.push(time.now());
      return answer();
    },
  };
  const client = createMerchantClient({
    ...{ serviceUrl: 'https://service.example/', adminKey: 'SVC_AK_1', language: 'de' },
    environment,
  });
  const asked = client.request(document, variables, options).then(
    (given) => ({ given }),
    (error: ServiceError) => ({ error }),
  );
  const { given, error } = (await time.settle(asked)) as { given?: unknown; error?: ServiceError };
  const waits = sentAtMs.slice(1).map((atMs, index) => (atMs - (sentAtMs[index] ?? 0)) / 1000);
  return { given, error, sent, signals, waits, times: sent.length, tookMs: time.now() };
}

const lost: Answer = () => Promise.reject(new TypeError('Network request failed'));
const hangs: Answer = () => new Promise(() => undefined);
const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return async () => Response.json(body, { status, headers });
};
const html =
  (status: number): Answer =>
  async () =>
    new Response('<html>Log in to the hotel</html>', { status });
const refused = (code: string, status = catalogue[code as ErrorCode].status, more = {}) =>
  json(status, { data: null, errors: [{ message: 'Words.', path: ['a'], extensions: { code, ...more } }] });
const done = json(200, { data: { a: 1 } });

const QUERY = '{ a }';
const CHANGE = 'mutation { a }';
const KEYED = 'mutation ($key: String!) { a @idempotent(key: $key) { b } }';

const FRAGMENT = 'fragment Mine on Customer @is(it: {a: 1}) { id note(text: "} mutation M { x }") }';
const pieces: Record<string, string> = {
  fragment: FRAGMENT,
  comment: '# mutation Remarked { x } "\n',
  query: 'query Read($a: I = {b: {c: "\\"}"}}) @on(x: {y: 1}) { a(b: """ } \\""" mutation { """) { query } }',
  mutation: 'mutation Write { mutation: query(query: {fragment: 1}) { query } }',
  keyed:
    'mutation Keyed($k: String!) { a: b(c: {d: $e}) @idempotent(key: $k) { e } f @idempotent(key: "x") @skip(if: $s) }',
  subscription: 'subscription Listen { x }',
};

describe('what may be sent again without knowing what came of it', () => {
  test.each([
    [QUERY, undefined, true],
    [' \uFEFF,\n{ mutation { x } }', undefined, true],
    ['query { a }', undefined, true],
    ['query @mutation { a }', undefined, true],
    [CHANGE, undefined, false],
    [`${pieces.comment}${FRAGMENT} mutation { a }`, undefined, false],
    [`${pieces.mutation} ${pieces.query}`, 'Read', true],
    [`${pieces.query} ${pieces.mutation}`, 'Write', false],
    [`${pieces.query} ${pieces.mutation}`, undefined, false],
    [`${pieces.query} ${pieces.keyed}`, 'Keyed', true],
    [`${pieces.query} ${pieces.keyed}`, undefined, false],
    [`${pieces.query}`, 'Another', false],
    [KEYED, undefined, true],
    ['mutation { a @idempotent(key: "k") b }', undefined, false],
    ['mutation { a { b @idempotent(key: "k") } }', undefined, false],
    ['mutation { ...Mine } fragment Mine on Mutation { a @idempotent(key: "k") }', undefined, false],
    ['mutation { a(b: "@idempotent(key: 1)") }', undefined, false],
    ['mutation { a # @idempotent(key: "k")\n }', undefined, false],
    ['mutation { a @idempotent_(key: "k") }', undefined, false],
    ['subscription { a @idempotent(key: "k") }', undefined, false],
    ['', undefined, false],
    ['} mutation', undefined, false],
  ])('%j, %j: %j', (document, name, expected) => {
    expect(readOperation(document, name).isRepeatable).toBe(expected);
  });

  test('as GraphQL itself tells it, whatever stands around it', () => {
    const documents = fc.shuffledSubarray(Object.keys(pieces), { minLength: 1 });
    const names = fc.constantFrom('Read', 'Write', 'Keyed', 'Listen', undefined);
    const check = (kinds: string[], name: string | undefined) => {
      const document = kinds.map((kind) => pieces[kind]).join('\n');
      const operation = kinds.every((kind) => kind === 'comment')
        ? null
        : getOperationAST(parse(document), name);
      const { isRepeatable, keyVariables } = readOperation(document, name);
      const isKeyed = operation?.name?.value === 'Keyed';
      if (operation) expect(isRepeatable).toBe(operation.operation === 'query' || isKeyed);
      else expect(isRepeatable && /mutation W|subscription/.test(document)).toBe(false);
      if (operation) expect(keyVariables).toEqual(isKeyed ? ['k'] : []);
    };
    fc.assert(fc.property(documents, names, check), { seed: 145, numRuns: 300 });
  });

  test.each(Object.keys(catalogue) as ErrorCode[])('%s, as the catalogue has it', (code) => {
    const { status, retryable } = catalogue[code];
    const error = new ServiceError(code, { status });
    expect(isPassing(error)).toBe(retryable);
    // What was not run can be sent again without a key too.
    expect(isPassing(error) && !mayHaveRun(error)).toBe(
      hasRetryAfter(code) || code === 'IDEMPOTENCY_CONCURRENT_REQUEST',
    );
  });
});

describe('what is sent again', () => {
  test.each([
    ['a query', QUERY, 5],
    ['a change', CHANGE, 1],
    ['a change with a key', KEYED, 5],
  ])('%s whose answer is lost, or is of somebody else', async (_, document, times) => {
    for (const answer of [lost, html(200), html(502), json(200, {}), async () => new Response('{"data":')])
      expect(await askAgainst([answer], { document })).toMatchObject({
        error: expect.any(ServiceError),
        times,
      });
  });

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
    const mine = await askAgainst([lost, done], { document: KEYED, options: { idempotencyKey: 'mine' } });
    expect(mine.sent.map(({ body }) => body.variables.key)).toEqual(['mine', 'mine']);
    const given = await askAgainst([done], { document: KEYED, variables: { key: 'given' } });
    expect(given.sent[0]?.body.variables).toEqual({ key: 'given' });
    const undefinedKey = await askAgainst([done], { document: KEYED, variables: { key: undefined } });
    expect(undefinedKey.sent[0]?.body.variables).toEqual({ key: 'key-1' });
  });

  test('a key without a place in the document is a mistake', async () => {
    const { error } = await askAgainst([done], { document: CHANGE, options: { idempotencyKey: 'mine' } });
    expect(error).toBeInstanceOf(TypeError);
  });

  test('OUTCOME_UNKNOWN is settled by a repeat under the key, and final the second time', async () => {
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

  test('what may have been made is not told as something that was not', async () => {
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
  ])('Retry-After %j: in %d to %d s', async (retryAfter, least, most) => {
    const { waits } = await askAgainst([json(429, {}, { 'retry-after': retryAfter })], { document: CHANGE });
    expect(waits[0]).toBeGreaterThanOrEqual(least);
    expect(waits[0]).toBeLessThanOrEqual(most);
  });

  test('a time that is later than the deadline is told, not waited for', async () => {
    const busy = json(429, { errors: [{ extensions: { code: 'THROTTLED' } }] }, { 'retry-after': '300' });
    const { error, times, tookMs } = await askAgainst([busy], { document: QUERY });
    expect([error?.code, error?.retryAfterMs, times, tookMs]).toEqual(['THROTTLED', 300_000, 1, 0]);
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

describe('an answer with errors', () => {
  const error = (code: string, ...path: string[]) => ({ message: 'Words.', path, extensions: { code } });

  test.each([
    [
      'a change that was made, with one field that could not be read',
      { activate: { contract: { status: 'ACTIVE', nextOrder: null }, userErrors: [] } },
      error('PLATFORM_UNAVAILABLE', 'activate', 'contract', 'nextOrder'),
    ],
    [
      'two contracts, one of which is not the customer’s',
      { mine: { id: '1' }, other: null },
      error('FORBIDDEN', 'other'),
    ],
    ['a field that never fails beside one that does', { a: false, b: null }, error('THROTTLED', 'b')],
  ])('%s: what came is given with them', async (_, data, one) => {
    const { given, times } = await askAgainst([json(200, { data, errors: [one] })], { document: CHANGE });
    expect(given).toEqual({
      data,
      errors: [{ code: one.extensions.code, message: 'Words.', path: one.path }],
    });
    expect(times).toBe(1);
  });

  test('without errors, null is an answer', async () => {
    expect((await askAgainst([json(200, { data: { a: null } })], { document: QUERY })).given).toEqual({
      data: { a: null },
      errors: [],
    });
  });

  test('names what is quoted to whoever runs the service', async () => {
    const { error: thrown } = await askAgainst(
      [json(404, { error: { code: 'NOT_FOUND', message: 'Words.' } }, { 'x-request-id': 'request-7' })],
      { document: QUERY },
    );
    expect(thrown).toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
      message: 'Words.',
      requestId: 'request-7',
    });
    expect(isServiceError(thrown, 'NOT_FOUND')).toBe(true);
    expect(
      [null, undefined, 'x', new Error('x'), { code: 'X' }].filter((each) => isServiceError(each)),
    ).toEqual([]);
  });

  test('the language and the credential go with each request', async () => {
    const { sent } = await askAgainst([done], {
      document: QUERY,
      options: { headers: { 'x-platform-customer-gid': 'c' } },
    });
    expect(sent[0]?.headers).toEqual({
      'content-type': 'application/json',
      'accept-language': 'de',
      'x-platform-customer-gid': 'c',
      authorization: 'Bearer SVC_AK_1',
    });
  });
});

describe('a sign-in that is refused', () => {
  const codes = (Object.keys(catalogue) as ErrorCode[]).filter((code) => errorAdvice[code].area === 'signIn');

  test.each(codes)('%s: begun anew where docs/errors.md says so, once', async (code) => {
    let begun = 0;
    const fetch: Environment['fetch'] = async (url) => {
      if (!url.endsWith('/start'))
        return Response.json({ error: { code } }, { status: catalogue[code].status });
      begun++;
      const texts = {
        authUrl: 'https://a',
        verifier: 'v',
        nonce: 'n',
        state: `s${begun}`,
        redirectUri: 'a://b',
      };
      return Response.json(texts);
    };
    const client = createCustomerClient({
      ...{ serviceUrl: 'https://service.example', shop: 'a.myshopify.com', storage: createMemoryStorage() },
      openBrowser: async () => `a://b?code=c&state=s${begun}`,
      environment: { fetch },
    });
    await expect(client.signIn()).rejects.toMatchObject({ code });
    expect(begun).toBe(errorAdvice[code].client.includes('call `/start` again') ? 2 : 1);
    expect(await client.session()).toEqual({ status: 'signedOut', endedByService: false });
  });
});
