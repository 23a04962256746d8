/** Requests of clients/typescript: what is understood of a document, of a code, and of an answer. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { getOperationAST, parse } from 'graphql';
import {
  createCustomerClient,
  createMemoryStorage,
  type Environment,
  isServiceError,
  type MerchantClient,
  ServiceError,
} from '../../../../clients/typescript/src/client.ts';
import { isTransient, mayHaveRun } from '../../../../clients/typescript/src/errors/is-transient.ts';
import { readOperation } from '../../../../clients/typescript/src/request/read-operation.ts';
import { type ErrorCode, errorCatalogue, hasRetryAfter } from '../../../../lib/errors/catalogue.ts';
import { errorAdvice } from '../../../../tools/generate/error-advice.ts';
import { askAgainst, CHANGE, done, json, KEYED, QUERY } from '../world/ask-against.ts';
import { merchantOf } from '../world/merchant-of.ts';

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
    ['mutation { a: subscriptionBillingCycleBulkSearch(b: {c: $d}) { job { id } } }', undefined, true],
    ['mutation { subscriptionBillingCycleBulkSearch(c: {}) { a } b @idempotent(key: "k") }', undefined, true],
    ['mutation { subscriptionBillingCycleBulkSearch(c: {}) { a } b }', undefined, false],
    ['mutation { subscriptionBillingCycleBulkSearch: b { c } }', undefined, false],
    ['mutation { ...subscriptionBillingCycleBulkSearch }', undefined, false],
    ['mutation { ... { a } }', undefined, false],
    ['mutation { ... @include(if: true) { a } b @idempotent(key: "k") }', undefined, false],
    ['', undefined, false],
    ['} mutation', undefined, false],
  ])('%j, %j: %j', (document, name, expected) => {
    expect(readOperation(document, name).isRetryable).toBe(expected);
  });

  test('a key stands in its directive alone, not in what follows', () => {
    const inner = 'mutation Inner($key: String!, $n: Int) { a @idempotent(key: $key) { b(n: $n) { c } } }';
    const two =
      'mutation Two($k: String!, $l: String!) { a @idempotent(key: $k) b(n: $n) @idempotent(key: $l) }';
    for (const document of [inner, `${inner} ${two} ${inner.replace('Inner', 'Third')}`])
      expect(readOperation(document, 'Inner').keyVariables).toEqual(['key']);
    expect(readOperation(`${inner} ${two}`, 'Two').keyVariables).toEqual(['k', 'l']);
  });

  test('reads an operation as graphql-js does, whatever else the document contains', () => {
    const documents = fc.shuffledSubarray(Object.keys(pieces), { minLength: 1 });
    const names = fc.constantFrom('Read', 'Write', 'Keyed', 'Listen', undefined);
    const check = (kinds: string[], name: string | undefined) => {
      const document = kinds.map((kind) => pieces[kind]).join('\n');
      const operation = kinds.every((kind) => kind === 'comment')
        ? null
        : getOperationAST(parse(document), name);
      const { isRetryable, isChange, keyVariables } = readOperation(document, name);
      if (operation === null)
        return expect(isRetryable && /mutation W|subscription/.test(document)).toBe(false);
      const isKeyed = operation?.name?.value === 'Keyed';
      expect(isChange).toBe(operation?.operation !== 'query');
      expect(isRetryable).toBe(operation?.operation === 'query' || isKeyed);
      expect(keyVariables).toEqual(isKeyed ? ['k'] : []);
    };
    fc.assert(fc.property(documents, names, check), { seed: 145, numRuns: 300 });
  });

  test.each(Object.keys(errorCatalogue) as ErrorCode[])('%s, as the catalogue has it', (code) => {
    const { status, retryable } = errorCatalogue[code];
    const error = new ServiceError(code, { status });
    expect(isTransient(error)).toBe(retryable);
    // A request that has not run can be retried without a key.
    expect(isTransient(error) && !mayHaveRun(error)).toBe(
      hasRetryAfter(code) || code === 'IDEMPOTENCY_CONCURRENT_REQUEST',
    );
  });
});

/** docs/compatibility.md: an app stays on a phone for years, and the service gets new codes. */
test.each([
  [429, true, false],
  [503, true, false],
  [500, true, true],
  [409, false, false],
  [200, false, false],
])('a code that is newer than the client, with %d', (status, isRepeated, mayBeDone) => {
  const error = new ServiceError('MADE_LATER', { status });
  expect([isTransient(error), mayHaveRun(error)]).toEqual([isRepeated, mayBeDone]);
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
      { first: { id: '1' }, other: null },
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

  test('returns code, status and request id of an error for a support request', async () => {
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

  const ID = { 'x-request-id': 'request-8' };
  const userErrors = [{ message: 'Words.', code: 'X', field: null }];
  test.each<[string, object, (client: MerchantClient) => Promise<unknown>]>([
    ['FORBIDDEN', { data: null, errors: [error('FORBIDDEN', 'a')] }, ({ request }) => request(QUERY)],
    ['GRAPHQL_VALIDATION_FAILED', { errors: [error('GRAPHQL_VALIDATION_FAILED')] }, ({ store }) => store()],
    ['ABSENT', { data: { a: null } }, ({ store }) => store()],
    ['X', { data: { a: { userErrors } } }, ({ subscriptions }) => subscriptions.pause({ contractId: '1' })],
    [
      'X',
      { data: { a: { userErrors, deliveryOptions: [] } } },
      ({ subscriptions }) => subscriptions.updateDelivery({ contractId: '1', deliveryMethod: {} }),
    ],
  ])('returns the request id for %s in a response with status 200', async (code, body, ask) => {
    const pending = ask(merchantOf(json(200, body, ID)));
    await expect(pending).rejects.toMatchObject({ code, status: 200, requestId: 'request-8' });
  });

  test('returns the request id with the response', async () => {
    const { given } = await askAgainst([json(200, { data: { a: 1 } }, ID)], { document: QUERY });
    expect(given).toEqual({ data: { a: 1 }, errors: [], requestId: 'request-8' });
  });

  test('the credential goes with each request, and no language of a merchant’s', async () => {
    const { sent } = await askAgainst([done], {
      document: QUERY,
      options: { headers: { 'x-platform-customer-gid': 'c' } },
    });
    expect(sent[0]?.headers).toEqual({
      'content-type': 'application/json',
      'x-platform-customer-gid': 'c',
      authorization: 'Bearer SVC_AK_1',
    });
  });
});

describe('a sign-in that is refused', () => {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter(
    (code) => errorAdvice[code].area === 'signIn',
  );

  test.each(codes)('%s restarts the sign-in once if docs/errors.md says so', async (code) => {
    let startedCount = 0;
    const fetch: Environment['fetch'] = async (url) => {
      if (!url.endsWith('/start'))
        return Response.json({ error: { code } }, { status: errorCatalogue[code].status });
      startedCount++;
      const texts = {
        authUrl: 'https://a',
        verifier: 'v',
        nonce: 'n',
        state: `s${startedCount}`,
        redirectUri: 'a://b',
      };
      return Response.json(texts);
    };
    const client = createCustomerClient({
      ...{ serviceUrl: 'https://service.example', shop: 'a.myshopify.com', storage: createMemoryStorage() },
      openBrowser: async () => `a://b?code=c&state=s${startedCount}`,
      environment: { fetch },
    });
    await expect(client.signIn()).rejects.toMatchObject({ code });
    expect(startedCount).toBe(errorAdvice[code].client.includes('call `/start` again') ? 2 : 1);
    expect(await client.session()).toEqual({ status: 'signedOut', endedByService: false });
  });
});
