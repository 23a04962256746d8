import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCommandLine } from '../../../infra/operator/command-line/program.ts';
import { openTrace } from '../../../infra/operator/open-trace.ts';
import { composeOperator } from '../../../infra/operator/operator.ts';
import { closeTarget, openTarget } from '../../../infra/operator/target.ts';
import { parseShopId } from '../../../lib/domain/shop-id.ts';
import { type LinkSecret, openKey, proofOf } from '../../../lib/domain/tokens/one-time-link-secret.ts';
import { purgeStore } from '../../../lib/stores/life/purge-store.ts';
import { send, signIn, type Tokens } from '../../contract/world/service-client.ts';
import { startTestStack, type TestStack } from '../../stack.ts';
import { copyTable } from './copy-table.ts';

const MAIN = join(import.meta.dirname, '../../../infra/operator/command-line/main.ts');
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

/** The command line in this process, which is faster; `input` is its standard input. */
async function command(line: readonly string[], input = '') {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runCommandLine([...line, '--state', stack.stateFile, '--json'], {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    columns: 200,
    isInteractive: false,
    confirm: async () => false,
    ask: async () => '',
    onInterrupt: () => () => undefined,
    readInput: async () => input,
  });
  if (exitCode !== 0) throw new Error(err.join('\n'));
  return JSON.parse(out.join('\n'));
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
async function tryLink(link: string, domain: string, claimId = 'A'.repeat(22)): Promise<Response> {
  const url = new URL(link);
  return fetch(`${url.origin}${url.pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ claimId, proof: proofOf(url.hash.slice(1) as LinkSecret), domain }),
  });
}

async function claim(link: string, domain: string): Promise<string> {
  const { sealedKey } = (await (await tryLink(link, domain)).json()) as { sealedKey: string };
  return openKey(sealedKey, new URL(link).hash.slice(1) as LinkSecret) ?? '';
}

/** A customer's refresh: the status and, of success, the next tokens. */
async function refresh(shop: string, { customerId, refreshToken }: Tokens) {
  const { status, body } = await send(stack, '/headless-auth/refresh', {
    body: { shop, customerId, refreshToken },
  });
  return { status, tokens: body as Tokens };
}

describe('on a running stack', () => {
  test('a store in order; a key from its issue to its leak, refused at the next request', async () => {
    expect(await operator('store', 'check', stack.shop)).toMatchObject({ ok: true });
    const issued = await command(['key', 'issue', stack.shop, '--label', 'Sync', '--use', 'test']);
    expect((await fetch(issued.link)).status).toBe(200);
    const key = await claim(issued.link, stack.shop);
    expect(await ask(key)).toMatchObject({ status: 200 });
    expect((await ask('SVC_AT_junk')).status).toBe(401);

    const next = await command(['key', 'rotate', stack.shop, issued.keyId, '--leaked', '--yes']);
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
    const listed = await command(['session', 'list', stack.shop, `${customerId}`]);
    expect(listed).toEqual([expect.objectContaining({ state: 'active', device: expect.any(String) })]);
    expect(JSON.stringify(listed)).not.toMatch(/salt|linkTokens/);
    const [{ id }] = listed;
    const revoke = ['session', 'revoke', stack.shop, `${customerId}`, '--yes'];
    await expect(command([...revoke, 'no-such-session'])).rejects.toThrow('no such session');
    expect(await command([...revoke, '--all'])).toEqual({ ended: [id] });
    expect(await command([...revoke, '--all'])).toEqual({ ended: [] });
    const body = { shop: stack.shop, customerId, refreshToken };
    expect(await send(stack, '/headless-auth/refresh', { body })).toMatchObject({ status: 401 });
    expect(await command(['session', 'list', stack.shop, `${customerId}`])).toMatchObject([
      { state: 'revoked' },
    ]);
  });

  test('leaked token keys: every customer signs in again, and can', async () => {
    const before = await signIn(stack, 'ben@example.com');
    await command(['token-keys', 'rotate', '--leaked', '--yes']);
    await stack.control.clock({ advance: 6 * 60 });
    expect(await refresh(stack.shop, before)).toMatchObject({ status: 401 });
    expect(await refresh(stack.shop, await signIn(stack, 'ben@example.com'))).toMatchObject({ status: 200 });
  });

  test('an uninstalled store is refused at the next request, and no other', async () => {
    const [, other] = stack.stores;
    if (other === undefined) throw new Error('no second store');
    expect((await ask(other.adminKey)).status).toBe(200);
    await command(['store', 'uninstall', other.shop, '--yes']);
    const refused = await ask(other.adminKey);
    expect([refused.status, refused.text]).toEqual([
      401,
      expect.stringContaining('not installed on the store'),
    ]);
    expect((await ask(stack.adminKey)).status).toBe(200);
  });
});

/** The table goes back ten minutes; everything else, the platform and Secrets Manager among it, does not. */
describe('a table restored to ten minutes ago', () => {
  const facts = ['--label', 'Sync', '--use', 'test'];
  const issue = (shop: string) => command(['key', 'issue', shop, ...facts]);

  test('loses no sign-in from before, and brings back nothing that was ended, spent or removed since', async () => {
    const { shop } = stack;
    const [, other] = stack.stores;
    if (other === undefined) throw new Error('no second store');
    await reinstall(other.shop);
    const otherKey = await claim((await issue(other.shop)).link, other.shop);
    const [ada, ben, carla] = await signInAll('ada@example.com', 'ben@example.com', 'carla@example.com');
    const revoked = await issue(shop);
    const revokedKey = await claim(revoked.link, shop);
    const unopened = await issue(shop);
    await stack.control.clock({ advance: 55 * 60 });

    const restore = await copyTable(stack);
    const since = await stack.control.now();
    await stack.control.clock({ advance: 6 * 60 });
    // The platform's own tokens were an hour old: these refreshes spend the refresh token that the copy holds.
    const adaNext = await refreshTwice(shop, ada);
    await send(stack, '/headless-auth/revoke', { method: 'DELETE', body: { shop, ...session(ben) } });
    await command(['session', 'revoke', shop, `${carla.customerId}`, '--all', '--yes']);
    const younger = await signIn(stack, 'dan@example.com');
    const openedKey = await claim(unopened.link, shop);
    await command(['key', 'revoke', shop, revoked.keyId, '--yes']);
    await command(['store', 'uninstall', other.shop, '--yes']);
    await purge(other.shopId);
    await restore();
    expect([await ask(revokedKey), await ask(otherKey)]).toMatchObject([{ status: 200 }, { status: 503 }]);

    const line = ['restore-complete', '--table', stack.tableName, '--since', since, '--events', '-', '--yes'];
    const report = await command(line, fetchedLog());
    expect(report).toMatchObject({ revokedSessions: 2, claimedKeys: 1, toPurge: [other.shopId] });

    expect((await refresh(shop, ben)).status).toBe(401);
    expect((await refresh(shop, carla)).status).toBe(401);
    // Of a younger sign-in nothing is known: the app asks for a new one.
    expect((await refresh(shop, younger)).status).toBe(404);
    expect((await refresh(shop, await signIn(stack, 'dan@example.com'))).status).toBe(200);
    await refreshTwice(shop, adaNext);
    expect(stack.rawLog()).toContain('refresh_ahead');
    expect(await ask(revokedKey)).toMatchObject({ status: 401, text: expect.stringContaining('revoked') });
    expect(await ask(openedKey)).toMatchObject({ status: 200 });
    expect((await tryLink(unopened.link, shop, 'B'.repeat(22))).status).toBe(410);
    expect((await ask(otherKey)).status).toBe(401);
    expect(await purge(other.shopId)).toMatchObject({ items: expect.any(Object), secrets: 0 });
    expect((await command(['store', 'list'])).map(({ domain }: { domain: string }) => domain)).toEqual([
      shop,
    ]);
  });

  const session = ({ customerId, refreshToken }: Tokens) => ({ customerId, refreshToken });

  async function signInAll(...emails: [string, string, string]): Promise<[Tokens, Tokens, Tokens]> {
    const tokens: Tokens[] = [];
    for (const email of emails) tokens.push(await signIn(stack, email));
    return tokens as [Tokens, Tokens, Tokens];
  }

  async function refreshTwice(shop: string, tokens: Tokens): Promise<Tokens> {
    const first = await refresh(shop, tokens);
    const second = await refresh(shop, { ...tokens, ...first.tokens });
    expect([first.status, second.status]).toEqual([200, 200]);
    return { ...tokens, ...second.tokens };
  }

  async function reinstall(shop: string): Promise<void> {
    const answer = await fetch(`${stack.platformUrl}/_control/grant`, {
      method: 'POST',
      body: JSON.stringify({ shop, expiring: false }),
    });
    const grant = (await answer.json()) as Record<string, string>;
    const credentials = { grant: { accessToken: grant.access_token }, clientId: grant.customer_client_id };
    await command(['store', 'install', shop, '--credentials', '-'], JSON.stringify(credentials));
  }

  /** As `store purge`, but that the clock of the stack does the waiting. */
  async function purge(shop: number) {
    const target = await openTarget({ env: 'local', state: stack.stateFile });
    const trace = openTrace(target, { verb: 'store purge', args: [`${shop}`], options: {} });
    const operator = composeOperator(target, { isDryRun: false, progress: () => undefined, trace });
    const shopId = parseShopId(shop);
    if (shopId === undefined) throw new Error('no shop id');
    const domain = (await operator.stores.find(shopId))?.domain;
    const wait = (ms: number) => stack.control.clock({ advance: Math.ceil(ms / 1000) });
    const purged = await purgeStore({ ...operator, wait }, { shopId, domain });
    await trace.end({ outcome: 'succeeded' });
    closeTarget(target);
    return purged;
  }

  /** As `aws logs filter-log-events` prints it. */
  function fetchedLog(): string {
    const events = stack
      .rawLog()
      .split('\n')
      .filter((line) => /session_revoked|key_claimed/.test(line))
      .map((message) => ({ message }));
    return `${JSON.stringify({ events, searchedLogStreams: [] }, undefined, 4)}\n`;
  }
});
