/** Limited keys, and sessions that another client revokes, over HTTP on the stack with its rights. */
import { describe, expect, test } from '@jest/globals';
import type { ShopDomain } from '../../lib/domain/shop-domain.ts';
import { type OneTimeLinkSecret, openSealedAdminKey } from '../../lib/domain/tokens/one-time-link-secret.ts';
import type { IssuedAdminKey } from '../../lib/stores/admin-keys/issue-admin-key.ts';
import { runCommandLine } from '../../operator/command-line/program.ts';
import { claimOf } from '../lib/stores/world/merchant.ts';
import { type Answer, ask, send, signIn } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
const bodyOf = ({ body }: Answer) => body as any;
const codesOf = (answer: Answer) =>
  (bodyOf(answer).errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);

/** A key as an operator issues it and a merchant opens it. */
async function newKey(...limits: string[]): Promise<{ key: string; keyId: string }> {
  const out: string[] = [];
  const line = ['key', 'issue', stack.shop, '--state', stack.stateFile, '--json', '--void-unclaimed'];
  const exitCode = await runCommandLine([...line, '--label', 'limited', '--use', 'tests', ...limits], {
    out: (text) => void out.push(text),
    err: (text) => void out.push(text),
    columns: 200,
    isInteractive: false,
    confirm: async () => false,
    ask: async () => '',
    readInput: async () => '',
  });
  expect([exitCode, out]).toEqual([0, expect.anything()]);
  const { keyId, link } = JSON.parse(out.join('\n')) as { keyId: string; link: string };
  const { pathname, hash } = new URL(link);
  const fragment = hash.slice(1) as OneTimeLinkSecret;
  const { linkId: _linkId, ...claim } = claimOf(
    { fragment } as unknown as IssuedAdminKey,
    stack.shop as ShopDomain,
  );
  const opened = await send(stack, pathname, { method: 'POST', body: claim });
  return { keyId, key: openSealedAdminKey(bodyOf(opened).sealedKey, fragment) ?? '' };
}

const KEYS = '{ adminKeys { id scopes allowedNetworks expiresAt lastUsedAt isCurrent } }';
const REVOKE_KEY = 'mutation { adminKeyRevokeCurrent { revokedKeyId userErrors { message } } }';
const CONTRACTS = '{ subscriptionContracts(first: 1) { nodes { id } } }';

describe('a key that can do less', () => {
  test('reads, cannot charge, sees itself among its store’s keys, and ends itself', async () => {
    const { key, keyId } = await newKey(
      '--scopes',
      'READ',
      '--networks',
      '127.0.0.0/8,::1',
      '--expires',
      '2999-01-01',
    );
    const send = (query: string, variables = {}) => ask(stack, 'admin', { bearer: key, query, variables });
    expect(bodyOf(await send(CONTRACTS)).data.subscriptionContracts.nodes.length).toBe(1);
    await stack.control.clearRequests();
    const charge = await send(
      'mutation ($id: ID!) { subscriptionBillingCycleCharge(subscriptionContractId: $id, billingCycleSelector: { index: 1 }) { userErrors { message } } }',
      { id: stack.contracts[0] },
    );
    expect([charge.status, codesOf(charge)]).toEqual([200, ['KEY_SCOPE_MISSING']]);
    expect(bodyOf(charge).errors[0].extensions.missing).toEqual(['WRITE']);
    expect(await stack.control.requests()).toEqual([]);

    const { data } = bodyOf(await send(KEYS));
    const own = data.adminKeys.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect(own).toEqual({
      id: `gid://platform/AdminKey/${keyId}`,
      scopes: ['READ'],
      allowedNetworks: ['127.0.0.0/8', '::1/128'],
      expiresAt: '2999-01-01T00:00:00Z',
      lastUsedAt: expect.stringMatching(/T\d\d:00:00Z$/),
      isCurrent: true,
    });
    // Another key sees the recorded data.
    const seen = bodyOf(await ask(stack, 'admin', { bearer: stack.adminKey, query: KEYS })).data.adminKeys;
    expect(seen).toContainEqual({ ...own, isCurrent: false });

    const ended = bodyOf(await send(REVOKE_KEY));
    expect(ended.data.adminKeyRevokeCurrent).toEqual({ revokedKeyId: own.id, userErrors: [] });
    expect((await send(CONTRACTS)).status).toBe(401);
    expect((await ask(stack, 'admin', { bearer: stack.adminKey, query: CONTRACTS })).status).toBe(200);
  });

  test('refuses a key from another network', async () => {
    const { key } = await newKey('--networks', '203.0.113.0/24');
    const refused = await ask(stack, 'admin', { bearer: key, query: CONTRACTS });
    expect(refused.status).toBe(401);
    expect(bodyOf(refused).errors[0].extensions.details).toMatch(/may not be used from (127\.|::1)/);
  });
});

describe('a sign-in that is ended from elsewhere', () => {
  const LIST = (id: number) =>
    `{ customer(id: "gid://platform/Customer/${id}") { sessions { id isCurrent } } }`;
  const revoking = (id: string) =>
    `mutation { customerSessionRevoke(sessionId: "${id}") { revokedSessionId userErrors { message } } }`;

  test('ends one sign-in, then all others, for the customer', async () => {
    const email = 'dan@example.com';
    const [ownSession, stolen, third] = [
      await signIn(stack, email),
      await signIn(stack, email),
      await signIn(stack, email),
    ];
    const send = (query: string, { accessToken } = ownSession) =>
      ask(stack, 'customer', { bearer: accessToken, query });
    const stolenList = bodyOf(await send(LIST(ownSession.customerId), stolen)).data.customer.sessions;
    const { id } = stolenList.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    const ended = bodyOf(await send(revoking(id)));
    expect(ended.data.customerSessionRevoke).toEqual({ revokedSessionId: id, userErrors: [] });
    expect((await send(LIST(ownSession.customerId), stolen)).status).toBe(401);

    const others = bodyOf(await send('mutation { customerSessionsRevokeOthers { revokedCount } }'));
    expect(others.data.customerSessionsRevokeOthers.revokedCount).toBeGreaterThanOrEqual(1);
    expect((await send(LIST(ownSession.customerId), third)).status).toBe(401);
    const left = bodyOf(await send(LIST(ownSession.customerId))).data.customer.sessions;
    expect(left).toEqual([{ id: expect.any(String), isCurrent: true }]);
  });

  test('ends all sign-ins of a customer with a key of the store', async () => {
    const tokens = await signIn(stack, 'dan@example.com');
    const admin = (query: string) => ask(stack, 'admin', { bearer: stack.adminKey, query });
    const { sessions } = bodyOf(await admin(LIST(tokens.customerId))).data.customer;
    expect(sessions.length).toBeGreaterThan(0);
    for (const { id } of sessions) {
      expect(bodyOf(await admin(revoking(id))).data.customerSessionRevoke.revokedSessionId).toBe(id);
    }
    const { accessToken, refreshToken, customerId } = tokens;
    expect((await ask(stack, 'customer', { bearer: accessToken, query: LIST(customerId) })).status).toBe(401);
    const body = { shop: stack.shop, customerId, refreshToken };
    expect((await send(stack, '/headless-auth/refresh', { method: 'POST', body })).status).toBe(401);
  });
});
