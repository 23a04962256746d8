/** docs/webhooks.md: its sample is what is sent, its receiver is the example, which verifies, and takes nothing twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { adminSchema } from '../../graphql/schema/schema.ts';
import { payloadSchema } from '../../infra/tools/generate/webhooks/payload-schemas.ts';
import { signWebhook } from '../../lib/webhooks/sign-webhook.ts';
import { createWebhookSecret } from '../../lib/webhooks/webhook-secret.ts';

const PAGE = readFileSync('docs/webhooks.md', 'utf8');
const RECEIVER = 'docs/examples/merchant/receive-webhooks.mjs';
const blockOf = (kind: string) =>
  new RegExp(`^\`\`\`${kind}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';

test('the sample is what is sent, and the documents fit the schema', () => {
  expect(payloadSchema('subscription.paused').safeParse(JSON.parse(blockOf('json'))).error).toBeUndefined();
  const documents = [...PAGE.matchAll(/^```graphql\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  expect(documents.length).toBeGreaterThan(4);
  for (const document of documents) expect(validate(adminSchema(), parse(document))).toEqual([]);
});

test('the receiver on the page is the example, of 30 lines at most', () => {
  const receiver = readFileSync(RECEIVER, 'utf8');
  expect(blockOf('js')).toBe(receiver);
  expect(receiver.trim().split('\n').length).toBeLessThanOrEqual(30);
});

let receiver: ChildProcess | undefined;
afterAll(() => void receiver?.kill());

test('the receiver refuses what it cannot verify, and takes each event once', async () => {
  const secret = createWebhookSecret(randomBytes);
  const port = await freePort();
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: `${port}` };
  receiver = spawn(process.execPath, [RECEIVER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: receiver.stdout as NonNullable<ChildProcess['stdout']> })[
    Symbol.asyncIterator
  ]();
  expect((await lines.next()).value).toBe('listening');
  const body = blockOf('json');
  const post = async (id: string, changed: Record<string, string> = {}, text = body) => {
    const headers = { ...signWebhook({ id, body, secrets: [secret], nowMs: Date.now() }), ...changed };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text })).status;
  };
  const old = signWebhook({ id: 'event-1', body, secrets: [secret], nowMs: Date.now() - 301_000 });
  expect(await post('event-1', { 'webhook-id': 'event-2' })).toBe(401);
  expect(await post('event-1', {}, `${body} `)).toBe(401);
  expect(await post('event-1', old)).toBe(401);
  expect(await post('event-1', { 'webhook-signature': 'v1,AAAA' })).toBe(401);
  for (const id of ['event-1', 'event-1', 'event-2', 'event-1']) expect(await post(id)).toBe(204);
  const told =
    'subscription.paused gid://platform/SubscriptionContract/31 [{"field":"status","before":"ACTIVE","after":"PAUSED"},{"field":"currentPause.resumesAt","before":null,"after":"2026-12-24T00:00:00Z"}]';
  expect([(await lines.next()).value, (await lines.next()).value]).toEqual([told, told]);
  receiver.kill();
  // Had a double been taken, it would come before the end.
  expect((await lines.next()).done).toBe(true);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
