/** The gateway by what a function receives and what a client gets back. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { startGateway } from '../../../../infra/local/gateway/gateway.ts';

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };
type Sent = { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer };

const nowMs = Date.UTC(2026, 10, 21, 8, 40, 29, 123);
let returns: () => Promise<unknown> = async () => ({});
let received: { name: string; event: APIGatewayProxyEventV2 }[] = [];

const gateway = await startGateway({
  port: 0,
  now: () => nowMs,
  integrationTimeoutMs: 200,
  invoke: (name, event) => {
    received.push({ name, event: event as APIGatewayProxyEventV2 });
    return returns();
  },
});
afterAll(() => gateway.close());
beforeEach(() => {
  received = [];
  returns = async () => ({ statusCode: 204 });
});

function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${gateway.url}`, { method, headers, path }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, headers: answered, body: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function eventOf(path: string, sent?: Sent): Promise<APIGatewayProxyEventV2> {
  await send(path, sent);
  const event = received.at(-1)?.event;
  if (event === undefined) throw new Error('No event came.');
  return event;
}

describe('limits', () => {
  test('a body beyond 10 MB is refused and reaches no function', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1);
    expect(await send('/headless-auth/start', { method: 'POST', body })).toMatchObject({
      status: 413,
      body: '{"message":"Request Entity Too Large"}',
    });
    expect(received).toEqual([]);
  });

  test('an event beyond what Lambda takes is refused', async () => {
    const body = Buffer.alloc(5 * 1024 * 1024);
    expect((await send('/x', { method: 'POST', body })).status).toBe(413);
    expect(received).toEqual([]);
  });

  test('headers beyond 10,240 bytes are refused', async () => {
    const fits = { 'x-filler': 'a'.repeat(10_000) };
    expect((await send('/x', { headers: fits })).status).toBe(204);
    const beyond = { 'x-filler': 'a'.repeat(10_240) };
    expect(await send('/x', { headers: beyond })).toMatchObject({
      status: 431,
      body: '{"message":"Request Header Fields Too Large"}',
    });
    expect(received).toHaveLength(1);
  });

  test('a function that does not answer in time', async () => {
    returns = () => new Promise(() => undefined);
    expect(await send('/x')).toMatchObject({ status: 503, body: '{"message":"Service Unavailable"}' });
  });

  test('a function that fails', async () => {
    returns = () => Promise.reject(new Error('inside'));
    expect(await send('/x')).toMatchObject({ status: 500, body: '{"message":"Internal Server Error"}' });
  });
});

describe('routes', () => {
  test.each([
    ['/headless-auth/start', 'headless-auth', 'ANY /headless-auth/{step}', { step: 'start' }],
    ['/headless-auth/a%20b?x=1', 'headless-auth', 'ANY /headless-auth/{step}', { step: 'a b' }],
    [
      '/api/storefront/unstable/graphql.json',
      'customer-graphql',
      'ANY /api/storefront/unstable/graphql.json',
      undefined,
    ],
    ['/api/admin/unstable/graphql.json', 'admin-graphql', 'ANY /api/admin/unstable/graphql.json', undefined],
    ['/api/admin/unstable/graphiql', 'admin-graphql', 'ANY /api/admin/unstable/graphiql', undefined],
    ['/', 'headless-auth', '$default', undefined],
    ['/headless-auth', 'headless-auth', '$default', undefined],
    ['/headless-auth/', 'headless-auth', '$default', undefined],
    ['/headless-auth/start/more', 'headless-auth', '$default', undefined],
    ['/API/admin/unstable/graphql.json', 'headless-auth', '$default', undefined],
  ])('%s', async (path, name, routeKey, pathParameters) => {
    const event = await eventOf(path);
    expect(received.at(-1)?.name).toBe(name);
    expect(event.routeKey).toBe(routeKey);
    expect(event.requestContext.routeKey).toBe(routeKey);
    expect(event.pathParameters).toEqual(pathParameters);
  });
});

describe('events', () => {
  test('a whole event', async () => {
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
      routeKey: 'ANY /headless-auth/{step}',
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
      pathParameters: { step: 'start' },
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
        routeKey: 'ANY /headless-auth/{step}',
        stage: '$default',
        time: '21/Nov/2026:08:40:29 +0000',
        timeEpoch: nowMs,
      },
      body: '{"ü":1}',
      isBase64Encoded: false,
    });
  });

  test('what is not there is left out', async () => {
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

describe('answers', () => {
  const answered = async (result: unknown, sent?: Sent) => {
    returns = async () => result;
    return send('/x', sent);
  };

  test('a structured result', async () => {
    const answer = await answered({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', 'X-Number': 7, 'content-length': '999' },
      cookies: ['a=1; Secure', 'b=2'],
      body: '{"ü":1}',
    });
    expect(answer).toMatchObject({ status: 201, body: '{"ü":1}' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'x-number': '7',
      'content-length': '8',
      'set-cookie': ['a=1; Secure', 'b=2'],
    });
  });

  test('a body in base64', async () => {
    const answer = await answered({ statusCode: 200, body: 'aGk=', isBase64Encoded: true });
    expect(answer.body).toBe('hi');
    expect(answer.headers['content-type']).toBe('text/plain;charset=UTF-8');
  });

  test.each([
    [{ a: 1 }, '{"a":1}'],
    ['Hello', 'Hello'],
    [null, 'null'],
    [[1], '[1]'],
  ])('a bare value is the body of a 200: %j', async (result, body) => {
    const answer = await answered(result);
    expect(answer).toMatchObject({ status: 200, body });
    expect(answer.headers['content-type']).toBe('application/json');
  });

  test.each([[{ statusCode: 'many' }], [{ statusCode: 200, body: { a: 1 } }], [{ statusCode: 99 }]])(
    'a result that cannot be read: %j',
    async (result) => {
      expect((await answered(result)).status).toBe(500);
    },
  );

  test('HEAD and 204 carry no body', async () => {
    expect(await answered({ statusCode: 200, body: 'x' }, { method: 'HEAD' })).toMatchObject({ body: '' });
    const none = await answered({ statusCode: 204 });
    expect(none.headers).not.toHaveProperty('content-length');
  });
});
