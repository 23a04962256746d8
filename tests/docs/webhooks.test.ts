/** docs/webhooks.md: its sample is what is sent, its receiver is the example, which verifies, and takes nothing twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { getAdminSchema } from '../../graphql/schema/schema.ts';
import { createWebhookSecret, signWebhook } from '../../lib/webhooks/webhook-secret.ts';
import { listenOnLoopback } from '../../sandbox/listen.ts';
import { createPayloadSchema } from '../../tools/generate/webhooks/payload-schemas.ts';

const PAGE = readFileSync('docs/webhooks.md', 'utf8');
const RECEIVER = 'examples/merchant/receive-webhooks.mjs';
const blockOf = (kind: string) =>
  new RegExp(`^\`\`\`${kind}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';

test('the sample is what is sent, and the documents fit the schema', () => {
  expect(
    createPayloadSchema('subscription.paused').safeParse(JSON.parse(blockOf('json'))).error,
  ).toBeUndefined();
  const documents = [...PAGE.matchAll(/^```graphql\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  expect(documents.length).toBeGreaterThan(4);
  for (const document of documents) expect(validate(getAdminSchema(), parse(document))).toEqual([]);
});

test('the receiver on the page is the example, of 40 lines at most', () => {
  const receiver = readFileSync(RECEIVER, 'utf8');
  expect(blockOf('js')).toBe(receiver);
  expect(receiver.trim().split('\n').length).toBeLessThanOrEqual(40);
});

const children: ChildProcess[] = [];
const servers: Server[] = [];
afterAll(() => {
  for (const child of children) child.kill();
  for (const server of servers) server.close();
});

/** Starts the example; resolves when it listens, with the lines that it prints. */
async function startReceiver(more: Record<string, string> = {}) {
  const secret = createWebhookSecret(randomBytes);
  const port = await freePort();
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: `${port}`, ...more };
  const child = spawn(process.execPath, [RECEIVER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('listening');
  return { child, lines, secret, url: `http://127.0.0.1:${port}/` };
}

test('the receiver refuses what it cannot verify, and takes each event once', async () => {
  const { child, lines, secret, url } = await startReceiver();
  const body = blockOf('json');
  const post = async (id: string, changed: Record<string, string> = {}, text = body) => {
    const headers = { ...signWebhook({ id, body, secrets: [secret], nowMs: Date.now() }), ...changed };
    return (await fetch(url, { method: 'POST', headers, body: text })).status;
  };
  const old = signWebhook({ id: 'event-1', body, secrets: [secret], nowMs: Date.now() - 301_000 });
  expect(await post('event-1', { 'webhook-id': 'event-2' })).toBe(401);
  expect(await post('event-1', {}, `${body} `)).toBe(401);
  expect(await post('event-1', old)).toBe(401);
  expect(await post('event-1', { 'webhook-signature': 'v1,AAAA' })).toBe(401);
  for (const id of ['event-1', 'event-1', 'event-2', 'event-1']) expect(await post(id)).toBe(204);
  const reported =
    'subscription.paused gid://platform/SubscriptionContract/31 [{"field":"status","before":"ACTIVE","after":"PAUSED"},{"field":"currentPause.resumesAt","before":null,"after":"2026-12-24T00:00:00Z"}]';
  expect([(await lines.next()).value, (await lines.next()).value]).toEqual([reported, reported]);
  child.kill();
  // Had a double been taken, it would come before the end.
  expect((await lines.next()).done).toBe(true);
});

test('the receiver follows the clock of the stack from request to request', async () => {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs).toISOString();
  const clock = createServer((_request, response) => response.end(JSON.stringify({ now: now() })));
  servers.push(clock);
  const { url: clockUrl } = await listenOnLoopback(clock, 0);
  const { secret, url } = await startReceiver({ STACK_CLOCK: `${clockUrl}/_control/clock` });
  const body = blockOf('json');
  const post = async (id: string, nowMs: number) => {
    const headers = signWebhook({ id, body, secrets: [secret], nowMs });
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  for (const days of [0, 3, 40, -2]) {
    aheadMs = days * 86_400_000;
    const stackMs = Date.now() + aheadMs;
    const statuses = [await post(`now ${days}`, stackMs), await post(`old ${days}`, stackMs - 301_000)];
    expect([days, ...statuses]).toEqual([days, 204, 401]);
  }
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
