/** docs/examples/mobile: what is sent again, and when. The service is played by `fetch`. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { getOperationAST, parse } from 'graphql';
import { skipOrder } from '../../docs/examples/mobile/app.ts';
import { ask, type Operation } from '../../docs/examples/mobile/ask.ts';
import { isPassing, ServiceError } from '../../docs/examples/mobile/call-service.ts';
import { createTurns, type Device } from '../../docs/examples/mobile/device.ts';
import { isChange } from '../../docs/examples/mobile/operation-type.ts';
import { signIn } from '../../docs/examples/mobile/sign-in.ts';
import { errorAdvice } from '../../infra/tools/generate/error-advice.ts';
import { catalogue, type ErrorCode, hasRetryAfter } from '../../lib/errors/catalogue.ts';

const SESSION = { accessToken: 'a', refreshToken: 'r', customerId: 1, expiresAt: '2026-01-01T01:00:00.000Z' };
const NOW_MS = Date.parse('2026-01-01T00:00:00.000Z');
afterEach(() => void jest.restoreAllMocks());

function signedIn(waits: number[] = []): Device {
  return {
    serviceUrl: 'https://service.example',
    shop: 'a.myshopify.com',
    storage: {
      read: async () => JSON.stringify({ ...SESSION, receivedAtMs: NOW_MS }),
      write: async () => undefined,
      remove: async () => undefined,
    },
    inTurn: createTurns(),
    openBrowser: async (_, redirectUri) => `${redirectUri}?code=c&state=s`,
    now: () => NOW_MS,
    wait: async (seconds) => void waits.push(seconds),
  };
}

/** What comes of an operation if the service always answers so: its error, how often it was sent, the waits. */
async function askAgainst(answer: () => Promise<Response>, operation: Operation) {
  const sent = jest.spyOn(globalThis, 'fetch').mockImplementation(answer);
  const waits: number[] = [];
  const error = await ask(signedIn(waits), operation).catch((thrown: ServiceError) => thrown);
  return { error, times: sent.mock.calls.length, waits };
}

const lost = () => Promise.reject(new TypeError('Network request failed'));

const FRAGMENT = 'fragment Mine on Customer @is(it: {a: 1}) { id note(text: "} mutation M { x }") }';
const pieces: Record<string, string> = {
  fragment: FRAGMENT,
  comment: '# mutation Remarked { x } "\n',
  query: 'query Read($a: I = {b: {c: "\\"}"}}) @on(x: {y: 1}) { a(b: """ } \\""" mutation { """) { query } }',
  mutation: 'mutation Write { mutation: query(query: {fragment: 1}) { query } }',
  subscription: 'subscription Listen { x }',
};

describe('a change is told from a query', () => {
  test.each([
    ['{ a }', undefined, false],
    [' \uFEFF,\n{ mutation { x } }', undefined, false],
    ['query { a }', undefined, false],
    ['query @mutation { a }', undefined, false],
    ['mutation { a }', undefined, true],
    [`${pieces.comment}${FRAGMENT} mutation { a }`, undefined, true],
    [`${pieces.mutation} ${pieces.query}`, 'Read', false],
    [`${pieces.query} ${pieces.mutation}`, 'Write', true],
    [`${pieces.query} ${pieces.mutation}`, undefined, true],
    [`${pieces.query}`, 'Another', true],
    ['', undefined, true],
    ['} mutation', undefined, true],
  ])('%j, %j: %j', (document, name, expected) => {
    expect(isChange(document, name)).toBe(expected);
  });

  test('as GraphQL itself tells it, whatever stands around it', () => {
    const documents = fc.shuffledSubarray(Object.keys(pieces), { minLength: 1 });
    const names = fc.constantFrom('Read', 'Write', 'Listen', undefined);
    const check = (kinds: string[], name: string | undefined) => {
      const document = kinds.map((kind) => pieces[kind]).join('\n');
      const operation = kinds.every((kind) => kind === 'comment')
        ? null
        : getOperationAST(parse(document), name);
      if (operation) expect(isChange(document, name)).toBe(operation.operation !== 'query');
      else expect(isChange(document, name) || !/mutation W|subscription/.test(document)).toBe(true);
    };
    fc.assert(fc.property(documents, names, check), { seed: 145, numRuns: 300 });
  });
});

describe('what is sent again', () => {
  test.each(Object.keys(catalogue) as ErrorCode[])('%s, as the catalogue has it', (code) => {
    const { status, retryable } = catalogue[code];
    const error = new ServiceError(code, { status });
    // A code beside `data` is no failure of the request: whoever asked looks at it.
    expect(isPassing(error)).toBe(retryable && status >= 400);
    expect(isPassing(error, true)).toBe(hasRetryAfter(code));
  });

  test.each([
    ['a query', '{ a }', undefined, 5],
    ['a query beside a mutation', `${pieces.mutation} ${pieces.query}`, 'Read', 5],
    ['a mutation', 'mutation { a }', undefined, 1],
    ['a mutation behind a comment', '# as the shop wants it\nmutation { a }', undefined, 1],
    ['a mutation behind a fragment', `${FRAGMENT} mutation { a }`, undefined, 1],
    ['a mutation beside a query', `${pieces.query} ${pieces.mutation}`, 'Write', 1],
  ])('%s whose answer is lost: %s', async (_, query, operationName, times) => {
    const operation = { query, ...(operationName && { operationName }) };
    expect(await askAgainst(lost, operation)).toMatchObject({ error: { code: 'NETWORK' }, times });
  });

  test('an order is skipped once, by its index and its date', async () => {
    const sent = jest.spyOn(globalThis, 'fetch').mockImplementation(lost);
    const order = { cycleIndex: 7, date: '2026-01-05T09:00:00Z' };
    await expect(skipOrder(signedIn(), 'C', order)).rejects.toMatchObject({ code: 'NETWORK' });
    expect(sent).toHaveBeenCalledTimes(1);
    const { variables } = JSON.parse(String(sent.mock.calls[0]?.[1]?.body));
    expect(variables).toEqual({ contract: 'C', index: 7, date: order.date });
  });

  test('a limit that names no time: in a second, doubling', async () => {
    const busy = async () => Response.json({ message: 'Too Many Requests' }, { status: 429 });
    const { waits } = await askAgainst(busy, { query: 'mutation { a }' });
    expect(waits).toHaveLength(4);
    waits.forEach((seconds, index) => {
      expect(seconds).toBeGreaterThanOrEqual(0.75 * 2 ** index);
      expect(seconds).toBeLessThanOrEqual(1.25 * 2 ** index);
    });
  });
});

describe('a limit that names a time', () => {
  test.each([
    ['60', 60, 60],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0.75, 1.25],
    ['', 0.75, 1.25],
  ])('Retry-After %j: between %d and %d s', async (retryAfter, least, most) => {
    const busy = async () => new Response('{}', { status: 429, headers: { 'retry-after': retryAfter } });
    const { waits } = await askAgainst(busy, { query: 'mutation { a }' });
    expect(waits).toHaveLength(4);
    expect(waits[0]).toBeGreaterThanOrEqual(least);
    expect(waits[0]).toBeLessThanOrEqual(most);
  });
});

describe('an answer with errors', () => {
  const error = (code: string, ...path: string[]) => ({ message: 'Words.', path, extensions: { code } });
  const answer = (body: object) => askAgainst(async () => Response.json(body), { query: 'mutation { a }' });

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
    const { error: given, times } = await answer({ data, errors: [one] });
    const { code } = one.extensions;
    expect(given).toEqual({ data, errors: [{ code, message: 'Words.', path: one.path }] });
    expect(times).toBe(1);
  });

  test.each([
    ['no data', {}],
    ['null', { data: null }],
    ['nothing in it', { data: { cancel: null } }],
  ])('%s: the first error is thrown', async (_, body) => {
    const { error: thrown } = await answer({ ...body, errors: [error('OUTCOME_UNKNOWN', 'cancel')] });
    expect(thrown).toBeInstanceOf(ServiceError);
    expect(thrown).toMatchObject({ code: 'OUTCOME_UNKNOWN', status: 200, message: 'Words.' });
  });

  test('without errors, null is an answer', async () => {
    expect((await answer({ data: { a: null } })).error).toEqual({ data: { a: null }, errors: [] });
  });
});

describe('a sign-in that is refused', () => {
  const STARTED = {
    authUrl: 'https://a',
    verifier: 'v',
    nonce: 'n',
    state: 's',
    redirectUri: 'shop.1.app://x',
  };

  /** How often a sign-in is begun if the exchange is always refused with a code, and the code that is thrown. */
  async function refusedWith(code: ErrorCode) {
    const { status } = catalogue[code];
    const refused = () => Response.json({ error: { code, message: 'Words.' } }, { status });
    const sent = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async (address) =>
        `${address}`.endsWith('/start') ? Response.json(STARTED) : refused(),
      );
    const thrown = await signIn(signedIn()).catch((error: ServiceError) => error.code);
    return { thrown, begun: sent.mock.calls.filter(([address]) => `${address}`.endsWith('/start')).length };
  }

  const codes = (Object.keys(catalogue) as ErrorCode[]).filter((code) => errorAdvice[code].area === 'signIn');
  test.each(codes)('%s: begun anew where docs/errors.md says so, once', async (code) => {
    const isAgain = errorAdvice[code].client.includes('call `/start` again');
    expect(await refusedWith(code)).toEqual({ thrown: code, begun: isAgain ? 2 : 1 });
  });
});
