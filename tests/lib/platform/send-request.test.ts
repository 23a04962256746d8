/** A request to the platform that fails is closed when its error arrives: the response may leave immediately after. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type ClientRequest, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createConnectionPool } from '../../../lib/domain/outgoing/connection-pool.ts';
import { sendRequest } from '../../../lib/platform/send-request.ts';

const CREATED = 'http.client.request.created';
let requests: ClientRequest[];
const collect = (message: unknown) => {
  requests.push((message as { request: ClientRequest }).request);
};
let server: Server;
beforeEach(async () => {
  requests = [];
  subscribe(CREATED, collect);
  server = createServer((request, response) => {
    if (request.url === '/large') response.end('x'.repeat(1_000_000));
    if (request.url !== '/cut') return;
    response.writeHead(200, { 'content-length': 10 });
    response.write('half', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  unsubscribe(CREATED, collect);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends a request; returns its failure, and whether each request was closed at that moment. */
async function failureOf(path: string, agent: Parameters<typeof sendRequest>[1]['agent'], timeoutMs: number) {
  const url = new URL(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const bounds = { api: 'Admin API', timeoutMs, maxBytes: 100, agent } as const;
  return sendRequest({ method: 'POST', url, headers: {}, body: '{}' }, bounds).then(
    () => undefined,
    ({ kind, mayHaveBeenReceived }) => ({
      kind,
      mayHaveBeenReceived,
      areClosed: requests.map(({ closed }) => closed),
    }),
  );
}

test.each([
  ['does not respond in time', '/silent', 'timeout'],
  ['closes the connection within the response', '/cut', 'cut'],
  ['sends a response that is too large', '/large', 'too-large'],
])('a request is closed when it fails because the platform %s', async (_name, path, kind) => {
  const pool = createConnectionPool('http:', Date.now);
  for (const agent of [pool.agent, false] as const) {
    requests = [];
    // On a busy machine a request is not sent within some milliseconds.
    const failure = await failureOf(path, agent, path === '/silent' ? 1_000 : 5_000);
    expect(failure).toEqual({ kind, mayHaveBeenReceived: true, areClosed: [true] });
  }
  pool.close();
});

test('a request that waits for a connection of the pool fails in time', async () => {
  const pool = createConnectionPool('http:', Date.now);
  pool.agent.maxSockets = 1;
  const first = failureOf('/silent', pool.agent, 5_000);
  expect(await failureOf('/silent', pool.agent, 50)).toMatchObject({
    kind: 'timeout',
    mayHaveBeenReceived: false,
  });
  server.closeAllConnections();
  expect(await first).toMatchObject({ kind: 'cut' });
  pool.close();
});
