import { describe, expect, test } from '@jest/globals';
import middy from '@middy/core';
import type { ErrorCode } from '../../../lib/errors/catalogue.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { checkMethod } from '../../../lib/http/check-method.ts';
import { allowOrigins } from '../../../lib/http/cors/allow-origins.ts';
import type { HttpEvent, HttpResult } from '../../../lib/http/exchange.ts';
import { toApiGatewayResult } from '../../../lib/http/http-response.ts';
import { limitBody } from '../../../lib/http/limit-body.ts';
import { logRequest } from '../../../lib/http/log-request.ts';
import { type ParsedBody, parseJson } from '../../../lib/http/parse-json.ts';
import { preventCaching } from '../../../lib/http/prevent-caching.ts';
import { readRequest } from '../../../lib/http/read-request.ts';
import { requireJson } from '../../../lib/http/require-json.ts';
import { respondToErrors } from '../../../lib/http/respond-to-errors.ts';
import type { LogFields, Logger } from '../../../lib/observability/logger.ts';
import { context, httpEvent } from '../../http-event.ts';

const ORIGIN = 'https://app.example';
const now = () => 1_000;

function start(answer: (event: HttpEvent<ParsedBody>) => HttpResult, origins: readonly string[] = [ORIGIN]) {
  const lines: { level: string; message: string; fields: LogFields }[] = [];
  const log =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  const logger: Logger = { debug: log('DEBUG'), info: log('INFO'), warn: log('WARN'), error: log('ERROR') };
  const allowedMethodsOf = () => ['POST'];
  const handler = middy<HttpEvent<ParsedBody>, HttpResult>({ requestEnd: logRequest({ logger, now }) })
    .use([
      readRequest({ now }),
      preventCaching,
      allowOrigins({ origins, allowedMethodsOf }),
      respondToErrors({
        logger,
        audience: 'customers',
        buildBody: ({ code }, body) => ({ code, ...body }),
      }),
      checkMethod(allowedMethodsOf),
      limitBody(1024),
      requireJson,
      parseJson,
    ])
    .handler(answer);
  const call = (request: Parameters<typeof httpEvent>[0]) =>
    handler(httpEvent(request) as HttpEvent<ParsedBody>, context) as Promise<HttpResult>;
  return { call, lines };
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const echo = (event: HttpEvent<ParsedBody>) =>
  toApiGatewayResult(event.exchange, { status: 200, body: event.exchange.json });

describe('the steps of a handler', () => {
  test.each([
    ['another method', { method: 'GET' }, 405, 'METHOD_NOT_ALLOWED'],
    ['a body that is too large', { body: 'x'.repeat(1025) }, 413, 'PAYLOAD_TOO_LARGE'],
    [
      'a large body, sent as bytes',
      { body: Buffer.alloc(1025).toString('base64'), isBase64Encoded: true },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['no content type', { body: '{}', headers: {} }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a form',
      { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a type that begins alike',
      { body: '{}', headers: { 'content-type': 'application/jsonp' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'another charset',
      { body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['no body', {}, 400, 'INVALID_JSON'],
    ['broken JSON', { body: '{' }, 400, 'INVALID_JSON'],
    ['a batch', { body: '[{}]' }, 400, 'INVALID_JSON'],
    ['a bare value', { body: 'null' }, 400, 'INVALID_JSON'],
    ['half a character', { body: '{"a":"\\ud801"}' }, 400, 'INVALID_JSON'],
    ['half a character, deep', { body: '{"a":[{"b":["x\\uDFFFx"]}]}' }, 400, 'INVALID_JSON'],
    ['half a character in a name', { body: '{"\\uD801":1}' }, 400, 'INVALID_JSON'],
    ['two halves, a backslash between them', { body: '{"a":"\\ud801\\\\\\udc01"}' }, 400, 'INVALID_JSON'],
    ['two halves in the wrong order', { body: '{"a":"\\udc01\\ud801"}' }, 400, 'INVALID_JSON'],
    ['half a character as it is', { body: '{"a":"\ud801"}' }, 400, 'INVALID_JSON'],
  ])('refuses %s', async (_name, request, status, code) => {
    const { call } = start(echo);
    const result = await call({ method: 'POST', headers: JSON_HEADERS, ...request });
    expect(result.statusCode).toBe(status);
    expect(JSON.parse(result.body ?? '')).toMatchObject({ code, requestId: 'request-1' });
    expect(result.headers).toMatchObject({ 'x-request-id': 'request-1', 'cache-control': 'no-store' });
  });

  test.each([
    // The replacement character is valid in a text that an app only sends back.
    ['a sign that stands for a broken one', '{"a":"M\ufffdller"}', '{"a":"M\ufffdller"}'],
    ['a whole character', '{"a":"\\ud801\\udc01 😀"}', '{"a":"\u{10401} 😀"}'],
    ['what only looks like one', '{"a":"\\\\ud801"}', '{"a":"\\\\ud801"}'],
  ])('accepts %s', async (_name, body, echoed) => {
    const { call } = start(echo);
    const result = await call({ method: 'POST', headers: JSON_HEADERS, body });
    expect([result.statusCode, result.body]).toEqual([200, echoed]);
  });

  test.each([
    'application/json',
    'application/json;',
    'application/json ; ',
    'application/json;;',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8;',
    'application/json;; charset="utf-8" ;',
    'Application/JSON',
  ])('accepts the content type %j', async (type) => {
    const result = await start(echo).call({
      method: 'POST',
      headers: { 'content-type': type },
      body: '{"a":1}',
    });
    expect([result.statusCode, result.body]).toEqual([200, '{"a":1}']);
  });

  test.each([
    'application/json;charset',
    'application/json;charset=',
    'application/json;charset="utf-8',
    'application/json;charset=utf-8"',
    'application/json;charset=utf-8;charset=utf-8',
    'application/json;charset=utf-8;charset=utf-16',
    'application/json;a=b',
    'application/json,',
    'application/json charset=utf-8',
    ';application/json',
    ';',
  ])('refuses the content type %j', async (type) => {
    const result = await start(echo).call({ method: 'POST', headers: { 'content-type': type }, body: '{}' });
    expect(result.statusCode).toBe(415);
  });

  test('returns the allowed methods for another one', async () => {
    const result = await start(echo).call({ method: 'PUT' });
    expect(result.headers).toMatchObject({ allow: 'POST' });
  });

  test('an unexpected error is masked, logged, and named by its request id', async () => {
    const { call, lines } = start(() => {
      throw new Error('the inside');
    });
    const result = await call({ method: 'POST', headers: JSON_HEADERS, body: '{}' });
    expect(result.statusCode).toBe(500);
    expect(result.body).not.toContain('the inside');
    expect(result.body).toContain('"requestId":"request-1"');
    expect(lines.map(({ message }) => message)).toEqual(['request.failed', 'request']);
    expect(lines[0]?.fields).toMatchObject({ errorCode: 'INTERNAL_ERROR' });
  });

  test.each<[ErrorCode, string]>([
    ['STOREFRONT_TOKEN_UNAVAILABLE', 'WARN'],
    ['STORE_DISCONNECTED', 'WARN'],
    ['INTERNAL_ERROR', 'ERROR'],
  ])('logs %s as %s: what others cause is no error of the service', async (code, level) => {
    const { call, lines } = start(() => {
      throw new ServiceError(code);
    });
    await call({ method: 'POST', headers: JSON_HEADERS, body: '{}' });
    expect(lines[0]).toMatchObject({ message: 'request.failed', level, fields: { errorCode: code } });
  });

  test('the log line of a rejected request gives the reason that the response leaves out', async () => {
    const { call, lines } = start(() => {
      throw new ServiceError('INVALID_REFRESH_TOKEN', { internal: 'reuse of a replaced token' });
    });
    const result = await call({ method: 'POST', headers: JSON_HEADERS, body: '{}' });
    expect(result.body).not.toContain('reuse');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.fields).toMatchObject({
      outcome: 'refused',
      errorCode: 'INVALID_REFRESH_TOKEN',
      reason: 'reuse of a replaced token',
    });
  });

  test('a retryable error says when', async () => {
    const { call } = start(() => {
      throw new ServiceError('THROTTLED', { retryAfterSeconds: 7 });
    });
    const result = await call({ method: 'POST', headers: JSON_HEADERS, body: '{}' });
    expect(result.headers).toMatchObject({ 'retry-after': '7' });
  });

  test.each([
    ['en', 'Too many requests. Try again in 13 minutes.'],
    ['ja', 'リクエストが多すぎます。13 分後にもう一度お試しください。'],
  ])('the message of an error names a wait of minutes (%s)', async (language, text) => {
    const { call } = start(() => {
      throw new ServiceError('THROTTLED', { retryAfterSeconds: 721 });
    });
    const headers = { ...JSON_HEADERS, 'accept-language': language };
    const { body } = await call({ method: 'POST', headers, body: '{}' });
    expect(JSON.parse(String(body)).message).toBe(text);
  });

  test('a 503 says when by itself, but not where trying again is of no use', async () => {
    const refuse = async (code: ErrorCode) => {
      const { call } = start(() => {
        throw new ServiceError(code);
      });
      return await call({ method: 'POST', headers: JSON_HEADERS, body: '{}' });
    };
    expect((await refuse('STORE_DISCONNECTED')).headers).not.toHaveProperty('retry-after');
    expect((await refuse('TEMPORARILY_UNAVAILABLE')).headers).toMatchObject({ 'retry-after': '1' });
  });

  test('a JSON object reaches the handler; one line is logged, without the body', async () => {
    const { call, lines } = start(echo);
    const result = await call({ method: 'POST', headers: JSON_HEADERS, body: '{"a":"secret"}' });
    expect(result).toMatchObject({ statusCode: 200, body: '{"a":"secret"}' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.fields).toMatchObject({ method: 'POST', status: 200 });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});

describe('allowOrigins', () => {
  test('another origin gets no cross-origin header, and its preflight only Allow', async () => {
    const result = await start(echo).call({ method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
    expect(result.statusCode).toBe(204);
    expect(result.headers).not.toHaveProperty('access-control-allow-origin');
    expect(result.headers).not.toHaveProperty('access-control-allow-methods');
    expect(result.headers).toMatchObject({ allow: 'POST' });
  });

  test('a configured origin may read errors too', async () => {
    const result = await start(echo).call({ method: 'POST', headers: { origin: ORIGIN } });
    expect(result.statusCode).toBe(415);
    expect(result.headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, vary: 'Origin' });
  });

  test.each(['capacitor://localhost', 'https://localhost', 'http://localhost'])(
    'allows the web view of an app (%s) where it is configured, and no similar origin',
    async (origin) => {
      const ask = async (from: string) => {
        const request = { method: 'OPTIONS', headers: { origin: from } };
        return (await start(echo, [origin]).call(request)).headers;
      };
      expect(await ask(origin)).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization, content-type, x-app-info',
        vary: 'Origin',
      });
      const [scheme] = origin.split(':');
      const others = [
        'evil://localhost',
        `x${origin}`,
        `${origin}.evil.example`,
        `${scheme}://evil.localhost`,
      ];
      others.push(`${origin}:8100`, `${origin}/`, `${origin}, https://evil.example`, origin.toUpperCase());
      for (const other of [...others, 'null', '*', ''])
        expect(await ask(other)).not.toHaveProperty('access-control-allow-origin');
    },
  );

  test('the preflight of a configured origin allows what the address takes', async () => {
    const result = await start(echo).call({ method: 'OPTIONS', headers: { origin: ORIGIN } });
    expect(result.headers).toMatchObject({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization, content-type, x-app-info',
    });
  });
});
