/** Connections beyond this machine are refused in tests, and those within it are not. */
import { lookup } from 'node:dns/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';

test.each([
  ['fetch', () => fetch('https://example.com/')],
  ['fetch by address', () => fetch('http://192.0.2.1/')],
  ['a lookup', () => lookup('example.com')],
  ['a socket', () => new Promise((_, reject) => connect(80, 'example.com').on('error', reject))],
])('%s beyond this machine is refused', async (_name, act) => {
  const error = await act().then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  const reported = [error?.message, (error?.cause as Error | undefined)?.message].join(' ');
  expect(reported).toContain('The network is off in tests');
});

test('this machine answers', async () => {
  const server = createServer((_request, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const host of ['127.0.0.1', 'localhost']) {
    const answer = await fetch(`http://${host}:${port}/`).then((response) => response.text());
    expect(answer).toBe('here');
  }
  server.closeAllConnections();
  server.close();
});
