/** The server of the phone page alone. A browser opens the page in tests/e2e. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ListeningServer } from '../../../sandbox/listen.ts';
import { startPhone } from '../../../sandbox/phone/phone.ts';

let phone: ListeningServer;

beforeAll(async () => {
  const addresses = { serviceUrl: 'http://127.0.0.1:1', productImagesUrl: 'http://127.0.0.1:2' };
  phone = await startPhone({ port: 0, ...addresses, shop: 'other-store.myshopify.com' });
});
afterAll(() => phone.close());

test('a request whose path is no address is answered like any other unknown one', async () => {
  const socket = connect(Number(new URL(phone.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET // HTTP/1.1\r\nHost: phone\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
});

test('the page names the service, the store and its own address', async () => {
  const page = await (await fetch(`${phone.url}/?code=c`)).text();
  expect(page).toContain('data-service-url="http://127.0.0.1:1"');
  expect(page).toContain('data-shop="other-store.myshopify.com"');
  expect(page).toContain(`data-redirect-uri="${phone.url}/"`);
  expect(page).not.toContain('example.com');
});
