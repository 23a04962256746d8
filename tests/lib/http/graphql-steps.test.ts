/** The steps that only the GraphQL endpoints have. */
import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { HandlerStep } from '../../../lib/http/exchange.ts';
import { graphqlErrorBody } from '../../../lib/http/graphql-error-body.ts';
import { matchPath } from '../../../lib/http/match-path.ts';
import { isGraphqlResponse, negotiateGraphql } from '../../../lib/http/negotiate-graphql.ts';
import { readGraphqlRequest } from '../../../lib/http/read-graphql-request.ts';
import { exchangeOf, runStep } from './run-step.ts';

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
  ])('returns the media type for Accept: %s', async (accept, expected) => {
    const exchange = exchangeOf({}, accept === undefined ? {} : { accept });
    await runStep(negotiateGraphql, exchange);
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
    const sent = runStep(readGraphqlRequest as HandlerStep<never>, exchangeOf({ json }));
    await expect(sent).rejects.toMatchObject({
      code: 'INVALID_JSON',
      status: 400,
      publicMessage: expect.stringContaining(`"${field}"`),
    });
  });

  test('null stands for nothing', async () => {
    const exchange = exchangeOf({ json: { query: '{ a }', variables: null, operationName: null } });
    await runStep(readGraphqlRequest as HandlerStep<never>, exchange);
    expect(exchange).toMatchObject({ graphql: { query: '{ a }', variables: {}, operationName: undefined } });
  });
});

test('an address that takes no method is not there', async () => {
  await expect(
    runStep(
      matchPath(() => []),
      exchangeOf(),
    ),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('returns code, message and details of a refused request, and a request id for an internal error', () => {
  const unauthenticated = new ServiceError('UNAUTHENTICATED', { details: 'The key is malformed.' });
  expect(graphqlErrorBody(unauthenticated, { requestId: 'r', message: 'Authentication required' })).toEqual({
    errors: [
      {
        message: 'Authentication required',
        extensions: { code: 'UNAUTHENTICATED', details: 'The key is malformed.' },
      },
    ],
  });
  const internal = new ServiceError('INTERNAL_ERROR', { internal: 'secret' });
  expect(graphqlErrorBody(internal, { requestId: 'r', message: 'no' })).toMatchObject({
    errors: [{ extensions: { code: 'INTERNAL_ERROR', requestId: 'r' } }],
  });
});
