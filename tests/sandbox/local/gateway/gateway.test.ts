/** The gateway by what a client gets back: limits and answers. */
import { describe, expect, test } from '@jest/globals';
import { functions, type Sent, send } from './fixture-gateway.ts';

describe('limits', () => {
  test('a body beyond 10 MB is refused and reaches no function', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1);
    expect(await send('/headless-auth/start', { method: 'POST', body })).toMatchObject({
      status: 413,
      body: '{"message":"Request Entity Too Large"}',
    });
    expect(functions.received).toEqual([]);
  });

  test('an event beyond what Lambda takes is refused', async () => {
    const body = Buffer.alloc(5 * 1024 * 1024);
    expect((await send('/x', { method: 'POST', body })).status).toBe(413);
    expect(functions.received).toEqual([]);
  });

  test('headers beyond 10,240 bytes are refused', async () => {
    const fits = { 'x-filler': 'a'.repeat(10_000) };
    expect((await send('/x', { headers: fits })).status).toBe(204);
    const beyond = { 'x-filler': 'a'.repeat(10_240) };
    expect(await send('/x', { headers: beyond })).toMatchObject({
      status: 431,
      body: '{"message":"Request Header Fields Too Large"}',
    });
    expect(functions.received).toHaveLength(1);
  });

  test('returns 503 when a function does not respond in time', async () => {
    functions.returns = () => new Promise(() => undefined);
    expect(await send('/x')).toMatchObject({ status: 503, body: '{"message":"Service Unavailable"}' });
  });

  test('does not time out a call that has to wait for an instance', async () => {
    const arrived = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    functions.waits = () => {
      arrived.resolve();
      return free.promise;
    };
    const waiting = send('/waits');
    await arrived.promise;
    functions.waits = async () => undefined;
    functions.returns = () => new Promise(() => undefined);
    expect((await send('/hangs')).status).toBe(503);
    functions.returns = async () => ({ statusCode: 204 });
    free.resolve();
    expect((await waiting).status).toBe(204);
  });

  test('returns 500 when a function fails', async () => {
    functions.returns = () => Promise.reject(new Error('inside'));
    expect(await send('/x')).toMatchObject({ status: 500, body: '{"message":"Internal Server Error"}' });
  });
});

describe('answers', () => {
  const answered = async (result: unknown, sent?: Sent) => {
    functions.returns = async () => result;
    return send('/x', sent);
  };

  test('returns a structured result', async () => {
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

  test('returns a body in base64', async () => {
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
    'returns 500 for a result that cannot be read: %j',
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
