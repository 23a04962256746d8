/** The steps that only the GraphQL endpoints have. */
import { describe, expect, test } from '@jest/globals';
import { readActingCustomer } from '../../../lib/credentials/read-acting-customer.ts';
import { verifyCredential } from '../../../lib/credentials/verify-credential.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { Exchange, Step } from '../../../lib/http/exchange.ts';
import { graphqlErrorBody } from '../../../lib/http/graphql-error-body.ts';
import { matchPath } from '../../../lib/http/match-path.ts';
import { isGraphqlResponse, negotiateGraphql } from '../../../lib/http/negotiate-graphql.ts';
import { readGraphqlRequest } from '../../../lib/http/read-graphql-request.ts';

function exchangeOf(more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Exchange {
  const request = { method: 'POST', path: '/', headers, body: '', userAgent: '' };
  return { request, requestId: 'r', startedAtMs: 0, responseHeaders: {}, logFields: {}, ...more };
}

async function run(step: Step<never>, exchange: Exchange, phase: 'before' | 'after' | 'onError' = 'before') {
  const handler = step[phase] as ((request: unknown) => unknown) | undefined;
  return handler?.({ event: { exchange } });
}

describe('the media type of the answer', () => {
  test.each([
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['application/graphql-response+json', true],
    ['application/graphql-response+json; charset=utf-8', true],
    ['application/graphql-response+json, application/json;q=0.9', true],
    ['application/graphql-response+json, application/json', true],
    ['application/json, application/graphql-response+json', false],
    ['application/json;q=0.5, application/graphql-response+json', true],
    ['text/html', false],
    ['application/graphql-response+json;q=0', false],
  ])('Accept: %s', async (accept, expected) => {
    const exchange = exchangeOf({}, accept === undefined ? {} : { accept });
    await run(negotiateGraphql, exchange);
    expect(isGraphqlResponse(exchange)).toBe(expected);
    expect(exchange.responseHeaders['content-type']).toContain('charset=utf-8');
  });
});

describe('the fields of the body', () => {
  test.each([
    [{}, 'query'],
    [{ query: '' }, 'query'],
    [{ query: 7 }, 'query'],
    [{ query: '{ a }', variables: [] }, 'variables'],
    [{ query: '{ a }', variables: 'x' }, 'variables'],
    [{ query: '{ a }', operationName: 7 }, 'operationName'],
    [{ query: '{ a }', operationName: 'A\n' }, 'operationName'],
    [{ query: '{ a }', operationName: '\nquery A {' }, 'operationName'],
    [{ query: '{ a }', operationName: 'Ünïcode' }, 'operationName'],
    [{ query: '{ a }', extensions: 'x' }, 'extensions'],
  ])('%j is refused, naming %s', async (json, field) => {
    const sent = run(readGraphqlRequest as Step<never>, exchangeOf({ json }));
    await expect(sent).rejects.toMatchObject({
      code: 'INVALID_JSON',
      status: 400,
      publicMessage: expect.stringContaining(`"${field}"`),
    });
  });

  test('null stands for nothing', async () => {
    const exchange = exchangeOf({ json: { query: '{ a }', variables: null, operationName: null } });
    await run(readGraphqlRequest as Step<never>, exchange);
    expect(exchange).toMatchObject({ graphql: { query: '{ a }', variables: {}, operationName: undefined } });
  });
});

describe('the acting customer', () => {
  const step = readActingCustomer({ gidNamespace: 'platform' }) as Step<never>;
  const header = (text: string) => ({ 'x-platform-customer-gid': text });

  test('is read from the header', async () => {
    const exchange = exchangeOf({ actor: { kind: 'store' } }, header('gid://platform/Customer/7'));
    await run(step, exchange);
    expect(exchange).toMatchObject({ actor: { kind: 'store', actingCustomerId: 7 } });
  });

  test.each(['', '7', 'gid://shopify/Customer/7', 'gid://platform/Customer/7, gid://platform/Customer/8'])(
    '%j is malformed',
    async (text) => {
      const sent = run(step, exchangeOf({ actor: { kind: 'store' } }, header(text)));
      await expect(sent).rejects.toMatchObject({ code: 'INVALID_CUSTOMER_GID', status: 400 });
    },
  );
});

test.each(['after', 'onError'] as const)(
  'a first use is noted before the answer goes out (%s)',
  async (phase) => {
    let isNoted = false;
    const confirmation = Promise.resolve().then(() => {
      isNoted = true;
    });
    const actor = { kind: 'customer', session: { confirmation } };
    await run(verifyCredential(() => Promise.reject()) as Step<never>, exchangeOf({ actor }), phase);
    expect(isNoted).toBe(true);
  },
);

test('an address that takes no method is not there', async () => {
  await expect(
    run(
      matchPath(() => []),
      exchangeOf(),
    ),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the body of a refused request', () => {
  const unauthenticated = new ServiceError('UNAUTHENTICATED', { details: 'The key is malformed.' });
  expect(graphqlErrorBody(unauthenticated, 'r')).toEqual({
    errors: [
      {
        message: 'Authentication required',
        extensions: { code: 'UNAUTHENTICATED', details: 'The key is malformed.' },
      },
    ],
  });
  expect(graphqlErrorBody(new ServiceError('INTERNAL_ERROR', { internal: 'secret' }), 'r')).toMatchObject({
    errors: [{ extensions: { code: 'INTERNAL_ERROR', requestId: 'r' } }],
  });
});
