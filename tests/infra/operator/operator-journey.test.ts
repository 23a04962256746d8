import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LinkSecret, openKey, proofOf } from '../../../lib/domain/one-time-link-secret.ts';
import { send, signIn } from '../../contract/service-client.ts';
import { startTestStack, type TestStack } from '../../stack.ts';

const MAIN = join(import.meta.dirname, '../../../infra/operator/main.ts');
const run = promisify(execFile);

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.stop());

/** The command line as a process of its own. */
async function operator(...line: string[]) {
  const args = [MAIN, ...line, '--state', stack.stateFile, '--json'];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
  return JSON.parse(stdout);
}

async function ask(key: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${stack.baseUrl}/api/admin/unstable/graphql.json`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ subscriptionContracts(first: 1) { nodes { id } } }' }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** What the page of the link does. */
async function claim(link: string, domain: string): Promise<string> {
  const url = new URL(link);
  const secret = url.hash.slice(1) as LinkSecret;
  const answer = await fetch(`${url.origin}${url.pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ claimId: 'A'.repeat(22), proof: proofOf(secret), domain }),
  });
  const { sealedKey } = (await answer.json()) as { sealedKey: string };
  return openKey(sealedKey, secret) ?? '';
}

describe('on a running stack', () => {
  test('a store in order; a key from its issue to its leak, refused at the next request', async () => {
    expect(await operator('store', 'check', stack.shop)).toMatchObject({ ok: true });
    const issued = await operator('key', 'issue', stack.shop, '--label', 'Sync', '--use', 'test');
    expect((await fetch(issued.link)).status).toBe(200);
    const key = await claim(issued.link, stack.shop);
    expect(await ask(key)).toMatchObject({ status: 200 });
    expect((await ask('SVC_AT_junk')).status).toBe(401);

    const next = await operator('key', 'rotate', stack.shop, issued.keyId, '--leaked', '--yes');
    const refused = await ask(key);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('The key has been revoked.');
    const successor = await claim(next.link, stack.shop);
    expect(await ask(successor)).toMatchObject({ status: 200 });

    const log = stack.rawLog() + stack.terminal();
    for (const secret of [key, successor, new URL(issued.link).hash.slice(1)])
      expect(log).not.toContain(secret);
    expect(log).toContain('key_claimed');
  });

  test('a customer’s sign-ins: listed, and ended everywhere', async () => {
    const { customerId, refreshToken } = await signIn(stack, 'ada@example.com');
    const listed = await operator('session', 'list', stack.shop, `${customerId}`);
    expect(listed).toEqual([expect.objectContaining({ state: 'active', device: expect.any(String) })]);
    expect(JSON.stringify(listed)).not.toMatch(/salt|linkTokens/);
    const [{ id }] = listed;
    const revoke = ['session', 'revoke', stack.shop, `${customerId}`, '--yes'];
    await expect(operator(...revoke, 'no-such-session')).rejects.toThrow('no such session');
    expect(await operator(...revoke, '--all')).toEqual({ ended: [id] });
    expect(await operator(...revoke, '--all')).toEqual({ ended: [] });
    const body = { shop: stack.shop, customerId, refreshToken };
    expect(await send(stack, '/headless-auth/refresh', { body })).toMatchObject({ status: 401 });
    expect(await operator('session', 'list', stack.shop, `${customerId}`)).toMatchObject([
      { state: 'revoked' },
    ]);
  });

  test('leaked token keys: every customer signs in again, and can', async () => {
    const before = await signIn(stack, 'ben@example.com');
    await operator('token-keys', 'rotate', '--leaked', '--yes');
    await stack.control.clock({ advance: 6 * 60 });
    const refresh = ({ customerId, refreshToken }: typeof before) =>
      send(stack, '/headless-auth/refresh', { body: { shop: stack.shop, customerId, refreshToken } });
    expect(await refresh(before)).toMatchObject({ status: 401 });
    expect(await refresh(await signIn(stack, 'ben@example.com'))).toMatchObject({ status: 200 });
  });

  test('an uninstalled store is refused at the next request, and no other', async () => {
    const [, other] = stack.stores;
    if (other === undefined) throw new Error('no second store');
    expect((await ask(other.adminKey)).status).toBe(200);
    await operator('store', 'uninstall', other.shop, '--yes');
    const refused = await ask(other.adminKey);
    expect([refused.status, refused.text]).toEqual([
      401,
      expect.stringContaining('not installed on the store'),
    ]);
    expect((await ask(stack.adminKey)).status).toBe(200);
  });
});
