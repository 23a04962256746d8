/** The gateway by what a function receives: routes and events. */
import { describe, expect, test } from '@jest/globals';
import { eventOf, functions, nowMs } from './fixture-gateway.ts';

const CUSTOMER = '/api/storefront/unstable/graphql.json';
const CLAIM = '/admin-keys/claim/{linkId}';
const ADMIN = '/api/admin/unstable/graphql.json';

describe('routes', () => {
  test.each([
    ['POST', '/headless-auth/start', 'headless-auth', 'POST /headless-auth/start', undefined],
    ['DELETE', '/headless-auth/revoke?x=1', 'headless-auth', 'DELETE /headless-auth/revoke', undefined],
    ['POST', '/headless-auth/revoke', 'headless-auth', '$default', undefined],
    ['OPTIONS', '/headless-auth/start', 'headless-auth', '$default', undefined],
    ['POST', '/headless-auth/a%20b?x=1', 'headless-auth', '$default', undefined],
    ['POST', CUSTOMER, 'customer-graphql', `POST ${CUSTOMER}`, undefined],
    ['OPTIONS', CUSTOMER, 'customer-graphql', `ANY ${CUSTOMER}`, undefined],
    ['POST', ADMIN, 'admin-graphql', `POST ${ADMIN}`, undefined],
    ['GET', ADMIN, 'admin-graphql', `ANY ${ADMIN}`, undefined],
    ['GET', '/admin-keys/claim/a%20b', 'admin-graphql', `GET ${CLAIM}`, { linkId: 'a b' }],
    ['OPTIONS', '/admin-keys/claim/a%20b', 'admin-graphql', `ANY ${CLAIM}`, { linkId: 'a b' }],
    ['OPTIONS', '/healthz', 'headless-auth', '$default', undefined],
    ['GET', '/api/admin/unstable/graphiql', 'admin-graphql', 'GET /api/admin/unstable/graphiql', undefined],
    ['GET', '/', 'headless-auth', '$default', undefined],
    ['POST', '/headless-auth', 'headless-auth', '$default', undefined],
    ['POST', '/headless-auth/', 'headless-auth', '$default', undefined],
    ['POST', '/headless-auth/start/more', 'headless-auth', '$default', undefined],
    ['POST', '/API/admin/unstable/graphql.json', 'headless-auth', '$default', undefined],
  ] as const)('%s %s', async (method, path, name, routeKey, pathParameters) => {
    const event = await eventOf(path, { method });
    expect(functions.received.at(-1)?.name).toBe(name);
    expect(event.routeKey).toBe(routeKey);
    expect(event.requestContext.routeKey).toBe(routeKey);
    expect(event.pathParameters).toEqual(pathParameters);
  });
});

describe('events', () => {
  test('has all fields of payload format 2.0', async () => {
    const event = await eventOf('/headless-auth/start?a=1&a=2&b=%20x', {
      method: 'POST',
      headers: {
        Host: 'api.example.com',
        'User-Agent': 'tests',
        'Content-Type': 'application/json',
        'X-Twice': ['one', 'two'],
        Cookie: 'c1=v1; c2=v2',
      },
      body: '{"ü":1}',
    });
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'POST /headless-auth/start',
      rawPath: '/headless-auth/start',
      rawQueryString: 'a=1&a=2&b=%20x',
      cookies: ['c1=v1', 'c2=v2'],
      headers: {
        host: 'api.example.com',
        'user-agent': 'tests',
        'content-type': 'application/json',
        'content-length': '8',
        'x-twice': 'one,two',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': expect.stringMatching(/^\d+$/),
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { a: '1,2', b: ' x' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'api.example.com',
        domainPrefix: 'api',
        http: {
          method: 'POST',
          path: '/headless-auth/start',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'tests',
        },
        requestId: expect.stringMatching(/^[\w=]{16}$/),
        routeKey: 'POST /headless-auth/start',
        stage: '$default',
        time: '21/Nov/2026:08:40:29 +0000',
        timeEpoch: nowMs,
      },
      body: '{"ü":1}',
      isBase64Encoded: false,
    });
  });

  test('leaves out absent fields', async () => {
    const event = await eventOf('/');
    for (const name of ['body', 'cookies', 'queryStringParameters', 'pathParameters']) {
      expect(event).not.toHaveProperty(name);
    }
    expect(event.rawQueryString).toBe('');
    expect(event.isBase64Encoded).toBe(false);
  });

  test.each([
    ['application/json', false],
    ['application/json; charset=utf-8', false],
    ['APPLICATION/JSON', false],
    ['text/plain', false],
    ['application/xml', false],
    ['application/javascript', false],
    ['application/x-www-form-urlencoded', true],
    ['application/graphql', true],
    ['application/graphql-response+json', true],
    ['application/problem+json', true],
    ['multipart/form-data; boundary=x', true],
    ['application/octet-stream', true],
    [undefined, true],
  ])('a body of type %s is base64: %s', async (type, isBase64Encoded) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const event = await eventOf('/x', { method: 'PUT', headers, body: 'a=1' });
    expect(event.isBase64Encoded).toBe(isBase64Encoded);
    expect(event.body).toBe(isBase64Encoded ? 'YT0x' : 'a=1');
  });

  test.each([
    ['/a%2Fb', '/a/b'],
    ['/%C3%BC', '/ü'],
    ['/%zz', '/%zz'],
    ['//double', '//double'],
  ])('the path comes decoded: %s', async (path, rawPath) => {
    const event = await eventOf(path);
    expect(event.rawPath).toBe(rawPath);
    expect(event.requestContext.http.path).toBe(rawPath);
  });

  test.each(['HEAD', 'OPTIONS', 'DELETE', 'PATCH'])('%s reaches the function', async (method) => {
    expect((await eventOf('/headless-auth/revoke', { method })).requestContext.http.method).toBe(method);
  });
});
