/** What an operator does about a leaked key, a customer's sign-ins, leaked token keys and a store that leaves. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { send, signIn } from '../contract/world/service-client.ts';
import { stack } from '../contract/world/shared-stack.ts';
import { createHands, type Hands } from './operator-hands.ts';

let hands: Hands;
beforeAll(() => {
  hands = createHands(stack);
});

describe('on a running stack', () => {
  test('checks a store in order, and refuses a leaked key at the next request', async () => {
    expect(await hands.command(['store', 'check', stack.shop])).toMatchObject({ ok: true });
    const issued = await hands.command(['key', 'issue', stack.shop, '--label', 'Sync', '--use', 'test']);
    expect((await fetch(issued.link)).status).toBe(200);
    const key = await hands.claim(issued.link, stack.shop);
    expect(await hands.ask(key)).toMatchObject({ status: 200 });
    expect((await hands.ask('SVC_AT_junk')).status).toBe(401);

    const next = await hands.command(['key', 'rotate', stack.shop, issued.keyId, '--leaked', '--yes']);
    const refused = await hands.ask(key);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('The key has been revoked.');
    const successor = await hands.claim(next.link, stack.shop);
    expect(await hands.ask(successor)).toMatchObject({ status: 200 });

    const log = stack.rawLog() + stack.terminal();
    for (const secret of [key, successor, new URL(issued.link).hash.slice(1)])
      expect(log).not.toContain(secret);
    expect(log).toContain('key.claimed');
  });

  test('lists a customer’s sign-ins, and ends them everywhere', async () => {
    const { customers } = await stack.control.seed({ customers: 1 });
    const { customerId, refreshToken } = await signIn(stack, `${customers[0]?.email}`);
    const listed = await hands.command(['session', 'list', stack.shop, `${customerId}`]);
    expect(listed).toEqual([expect.objectContaining({ state: 'active', device: expect.any(String) })]);
    expect(JSON.stringify(listed)).not.toMatch(/salt|linkTokens/);
    const [{ id }] = listed;
    const revoke = ['session', 'revoke', stack.shop, `${customerId}`, '--yes'];
    await expect(hands.command([...revoke, 'no-such-session'])).rejects.toThrow('session was not found');
    expect(await hands.command([...revoke, '--all'])).toEqual({ ended: [id] });
    expect(await hands.command([...revoke, '--all'])).toEqual({ ended: [] });
    const body = { shop: stack.shop, customerId, refreshToken };
    expect(await send(stack, '/headless-auth/refresh', { body })).toMatchObject({ status: 401 });
    expect(await hands.command(['session', 'list', stack.shop, `${customerId}`])).toMatchObject([
      { state: 'revoked' },
    ]);
  });

  test('leaked token keys: every customer signs in again, and can', async () => {
    const before = await signIn(stack, 'ben@example.com');
    await hands.command(['token-keys', 'rotate', '--leaked', '--yes']);
    await stack.control.clock({ advance: 6 * 60 });
    expect(await hands.refresh(stack.shop, before)).toMatchObject({ status: 401 });
    expect(await hands.refresh(stack.shop, await signIn(stack, 'ben@example.com'))).toMatchObject({
      status: 200,
    });
  });

  test('an uninstalled store is refused at the next request, and no other', async () => {
    const [, other] = stack.stores;
    if (other === undefined) throw new Error('no second store');
    expect((await hands.ask(other.adminKey)).status).toBe(200);
    await hands.command(['store', 'uninstall', other.shop, '--yes']);
    const refused = await hands.ask(other.adminKey);
    expect([refused.status, refused.text]).toEqual([
      401,
      expect.stringContaining('not installed on the store'),
    ]);
    expect((await hands.ask(stack.adminKey)).status).toBe(200);
  });
});
