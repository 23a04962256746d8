/**
 * The phone's server alone: the requests that it forwards, the data that it passes to the app, and the data that it
 * never reads.
 */
import { createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ListeningServer } from '../../sandbox/listen.ts';
import { startPhone } from '../../sandbox/phone/phone.ts';

type Reply = { status?: number; headers?: Record<string, string | string[]>; body?: string };

/** As the platform describes it, with what is no business of the app. */
const shop = { shop: 'harbor-coffee.myshopify.com', name: 'Harbor Coffee', accessToken: 'shpat_secret' };

let phone: ListeningServer;
let upstream: Server;
let platformOrigin: string;
let seen: IncomingMessage[] = [];
let reply: Reply = {};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    seen.push(request);
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? 'page');
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
  platformOrigin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  phone = await startPhone({
    port: 0,
    serviceUrl: 'http://127.0.0.1:1',
    platformUrl: platformOrigin,
    shops: [shop],
  });
});

afterAll(async () => {
  await phone.close();
  upstream.close();
});

beforeEach(() => {
  seen = [];
  reply = {};
});

type Answer = { status: number; headers: IncomingMessage['headers']; text: string };

/** Like `fetch`, but it does not normalize paths or follow redirects. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(phone.url);
  return new Promise((resolve, reject) => {
    const call = send({ hostname, port, path, method, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    call.on('error', reject).end();
  });
}

test('carries the sign-in pages and pictures', async () => {
  expect((await ask('/authentication/1/login?x=1')).text).toBe('page');
  expect((await ask('/_assets/coffee.svg')).text).toBe('page');
  expect(seen.map(({ url }) => url)).toEqual(['/authentication/1/login?x=1', '/_assets/coffee.svg']);
});

test.each([
  '/_control/reset',
  '/harbor-coffee.myshopify.com/admin/api/2026-07/graphql.json',
  '/authentication/../_control/reset',
  '/authentication/%2e%2e/_control/reset',
  '/authentication/..%2f_control/reset',
  '/authentication/..%5c_control/reset',
  '/authentication\\..\\_control/reset',
  '//example.com/authentication/1',
  'http://example.com/authentication/1',
  '/tsconfig.json',
])('does not carry %s', async (path) => {
  expect((await ask(path)).status).toBe(404);
  expect(seen).toEqual([]);
});

test('speaks to the platform as a browser at its own address would', async () => {
  await ask('/authentication/1/login', {
    origin: phone.url,
    referer: `${phone.url}/authentication/1/login`,
    cookie: 'interaction=1',
  });
  expect(seen[0]?.headers).toMatchObject({
    host: new URL(platformOrigin).host,
    origin: platformOrigin,
    referer: `${platformOrigin}/authentication/1/login`,
    cookie: 'interaction=1',
  });
});

test('keeps cookies and leads redirects of the platform through itself', async () => {
  const headers = {
    location: `${platformOrigin}/authentication/1/interaction?a=b`,
    'set-cookie': ['a=1', 'b=2'],
  };
  reply = { status: 303, headers };
  const answer = await ask('/authentication/1/oauth/authorize');
  expect(answer.status).toBe(303);
  expect(answer.headers.location).toBe(`${phone.url}/authentication/1/interaction?a=b`);
  expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

test('hands a redirect to the registered scheme to the app instead of following it', async () => {
  const location = 'shop.81234567001.app://callback?code=c&state="><script>';
  reply = { status: 303, headers: { location, 'set-cookie': 'a=1' } };
  const answer = await ask('/authentication/1/interaction', {}, 'POST');
  expect(answer.status).toBe(200);
  expect(answer.headers['set-cookie']).toEqual(['a=1']);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.text).toContain(
    'content="shop.81234567001.app://callback?code=c&#38;state=&#34;&#62;&#60;script&#62;"',
  );
});

test('stops where the pages lead to another site', async () => {
  reply = { status: 302, headers: { location: 'https://example.com/' } };
  const answer = await ask('/authentication/1/interaction');
  expect(answer.status).toBe(502);
  expect(answer.text).toContain('leads to another site');
  expect(answer.headers.location).toBeUndefined();
});

test('shows the pages in the sheet although the platform forbids frames of other sites', async () => {
  const policy = "default-src 'self'; frame-ancestors 'none'; form-action 'self'";
  reply = { headers: { 'x-frame-options': 'DENY', 'content-security-policy': policy } };
  const { headers } = await ask('/authentication/1/login');
  expect(headers['x-frame-options']).toBeUndefined();
  expect(headers['content-security-policy']).toMatch(/^default-src 'self'; form-action 'self', sandbox /);
});

test('the platform’s pages run no script beside the app', async () => {
  const policy = `${(await ask('/authentication/1/login')).headers['content-security-policy']}`;
  expect(policy).toMatch(/^sandbox /);
  expect(policy).not.toContain('allow-scripts');
});

test('the app is told the shops by domain and name, and nothing else of them', async () => {
  expect(JSON.parse((await ask('/configuration.json')).text)).toEqual({
    serviceUrl: 'http://127.0.0.1:1',
    platformOrigin,
    shops: [{ shop: 'harbor-coffee.myshopify.com', name: 'Harbor Coffee' }],
  });
});

test('the app is one script and one style, with maps to its files', async () => {
  const addresses = [...(await ask('/')).text.matchAll(/ (?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
  expect(addresses).toEqual(['/icon.svg', '/style/all.css', '/main.js']);
  const script = (await ask('/main.js')).text;
  expect(script).not.toMatch(/\b(?:import|from) *["']/);
  expect(JSON.parse((await ask('/main.js.map')).text).sources).toContain('ui/router.js');
  expect((await ask('/style/all.css')).text).not.toContain('@import');
});

test('the app allows nothing from outside and cannot be framed', async () => {
  const { headers } = await ask('/');
  const policy = `${headers['content-security-policy']}`;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self' http://127.0.0.1:1;");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect((await ask('/', {}, 'POST')).status).toBe(405);
});

test('says so when the platform cannot be reached', async () => {
  const alone = await startPhone({
    port: 0,
    serviceUrl: 'http://127.0.0.1:1',
    platformUrl: 'http://127.0.0.1:1',
    shops: [],
  });
  const answer = await fetch(`${alone.url}/authentication/1/login`);
  expect(answer.status).toBe(502);
  expect(await answer.text()).toContain('cannot be reached');
  await alone.close();
});
