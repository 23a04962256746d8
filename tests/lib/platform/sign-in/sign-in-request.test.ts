import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createSendSignInRequest } from '../../../../lib/platform/sign-in/sign-in-request.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(handleRequest: RequestListener): Promise<string> {
  const server = createServer(handleRequest);
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const local = createSendSignInRequest({ platformOrigin: 'http://127.0.0.1:1/{shop}' });
const get = (url: string, timeoutMs?: number) =>
  local({ method: 'GET', url, headers: {}, ...(timeoutMs && { timeoutMs }) });

describe('a request to the sign-in of the platform', () => {
  test.each([
    ['plain http to another host', 'http://shop.example/'],
    ['another protocol', 'file:///etc/passwd'],
    ['user info', 'https://user:pass@shop.example/'],
    ['no address', 'nonsense'],
  ])('%s is never sent', async (_what, url) => {
    await expect(get(url)).rejects.toMatchObject({ kind: 'forbidden', mayHaveBeenReceived: false });
  });

  test('plain http, where PLATFORM_ORIGIN is https, is never sent, not even to this machine', async () => {
    const origin = await serve((_request, response) => response.end());
    const send = createSendSignInRequest({ platformOrigin: 'https://{shop}' });
    await expect(send({ method: 'GET', url: origin, headers: {} })).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });

  test('reports a request as not sent when the port is closed', async () => {
    const origin = await serve((_request, response) => response.end());
    closing.pop()?.();
    await expect(get(origin)).rejects.toMatchObject({ kind: 'unreachable', mayHaveBeenReceived: false });
  });

  test('no answer in time, one that is cut, one that is too large: sent', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/slow') return;
      if (request.url === '/large') return void response.end('x'.repeat(256 * 1024 + 1));
      response.writeHead(200, { 'content-length': '100' }).write('x');
      setImmediate(() => response.destroy());
    });
    await expect(get(`${origin}/slow`, 50)).rejects.toMatchObject({
      kind: 'timeout',
      mayHaveBeenReceived: true,
    });
    await expect(get(`${origin}/cut`)).rejects.toMatchObject({ kind: 'cut', mayHaveBeenReceived: true });
    await expect(get(`${origin}/large`)).rejects.toMatchObject({
      kind: 'too-large',
      mayHaveBeenReceived: true,
    });
  });

  test('redirects are not followed', async () => {
    const paths: (string | undefined)[] = [];
    const origin = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await get(`${origin}/here`)).status).toBe(302);
    expect(paths).toEqual(['/here']);
  });

  test('carries a User-Agent, and gives the answer as it came', async () => {
    const origin = await serve((request, response) => {
      response
        .writeHead(418, { 'x-answer': 'yes' })
        .end(`${request.headers['user-agent']} ${request.method}`);
    });
    const answer = await local({ method: 'POST', url: origin, headers: {}, body: 'a=b' });
    expect(answer).toMatchObject({ status: 418, headers: { 'x-answer': 'yes' } });
    expect(answer.body).toBe('subscription-management-service POST');
  });

  test.each([
    ['POST', { 'content-length': '6', connection: 'close' }, 'ä=b&c'],
    ['POST', { 'content-length': '0', connection: 'close' }, ''],
    ['GET', { connection: 'keep-alive' }, undefined],
  ] as const)('%s sends each header once, and nothing else: %j', async (method, ofMethod, body) => {
    const origin = await serve(({ rawHeaders }, response) => void response.end(JSON.stringify(rawHeaders)));
    const headers = { 'content-type': 'text/plain', 'x-empty': '' };
    const answer = await local({
      method,
      url: `${origin}/a?b=c`,
      headers,
      ...(body !== undefined && { body }),
    });
    const raw: string[] = JSON.parse(answer.body);
    const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1]]] : []));
    const expected = {
      ...headers,
      host: new URL(origin).host,
      'user-agent': 'subscription-management-service',
      ...ofMethod,
    };
    expect(pairs.sort()).toEqual(Object.entries(expected).sort());
  });
});
