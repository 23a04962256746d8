/** GraphiQL in a browser: it sends requests only to the service, and stores the key only in the memory of its tab. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { browser, stack } from './shared-web-app.ts';

const MAX_WAIT_MS = 20_000;

test('a query is answered with the key that was typed, and nothing leaves the origin or stays behind', async () => {
  const context = await browser.newContext();
  const requestedUrls: string[] = [];
  context.on('request', (request) => void requestedUrls.push(request.url()));
  const page = await context.newPage();
  page.setDefaultTimeout(MAX_WAIT_MS);
  const failures: string[] = [];
  page.on('pageerror', (error) => void failures.push(error.message));

  const answer = await page.goto(`${stack.baseUrl}/api/admin/unstable/graphiql`);
  const headers = answer?.headers() ?? {};
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/);
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });

  const editor = page.locator('.graphiql-editor-tool .CodeMirror:visible').first();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(JSON.stringify({ Authorization: `Bearer ${stack.adminKey}` }));
  await page.getByRole('button', { name: /execute query/i }).click();
  await page.locator('.result-window', { hasText: '"name"' }).waitFor();

  expect(failures).toEqual([]);
  const origin = new URL(stack.baseUrl).origin;
  const otherUrls = requestedUrls.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'));
  expect(otherUrls).toEqual([]);
  const left = await page.evaluate<string>(
    'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  expect(JSON.parse(left)).toEqual([`${stack.baseUrl}/api/admin/unstable/graphiql`, {}, {}, '']);
});

test.each([
  ['gzip, br', 'gzip'],
  ['identity', undefined],
])('for a client that takes %s the page comes as %s', async (accepted, encoding) => {
  const requestedUrls = get(`${stack.baseUrl}/api/admin/unstable/graphiql`, {
    headers: { 'accept-encoding': accepted },
  });
  const [answer] = (await once(requestedUrls, 'response')) as [IncomingMessage];
  const sent = await buffer(answer);
  expect(answer.headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'no-store' });
  expect(answer.headers['content-encoding']).toBe(encoding);
  const page = encoding === 'gzip' ? gunzipSync(sent) : sent;
  expect(page.toString()).toMatch(/^<!doctype html>/i);
  if (encoding === 'gzip') expect(sent.byteLength).toBeLessThan(page.byteLength / 2);
});
