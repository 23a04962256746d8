/** docs/examples/mobile: what is sent again, and when. The service is played by `fetch`. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { getOperationAST, parse } from 'graphql';
import { ask, type Operation } from '../../docs/examples/mobile/ask.ts';
import { isPassing, ServiceError } from '../../docs/examples/mobile/call-service.ts';
import { createTurns, type Device } from '../../docs/examples/mobile/device.ts';
import { isChange } from '../../docs/examples/mobile/operation-type.ts';
import { catalogue, type ErrorCode, hasRetryAfter } from '../../lib/errors/catalogue.ts';

const SESSION = { accessToken: 'a', refreshToken: 'r', customerId: 1, expiresAt: '2026-01-01T01:00:00.000Z' };
const NOW_MS = Date.parse('2026-01-01T00:00:00.000Z');
afterEach(() => void jest.restoreAllMocks());

/** What comes of an operation if the service always answers so: its error, how often it was sent, the waits. */
async function askAgainst(answer: () => Promise<Response>, operation: Operation) {
  const sent = jest.spyOn(globalThis, 'fetch').mockImplementation(answer);
  const waits: number[] = [];
  const device: Device = {
    serviceUrl: 'https://service.example',
    shop: 'a.myshopify.com',
    storage: {
      read: async () => JSON.stringify({ ...SESSION, receivedAtMs: NOW_MS }),
      write: async () => undefined,
      remove: async () => undefined,
    },
    inTurn: createTurns(),
    openBrowser: async () => '',
    now: () => NOW_MS,
    wait: async (seconds) => void waits.push(seconds),
  };
  const error = await ask(device, operation).catch((thrown: ServiceError) => thrown);
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
    expect(isPassing(error)).toBe(retryable);
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
