import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startSignIn } from '../../../lib/sign-in/start-sign-in.ts';
import { outcome } from './world/journey.ts';
import { createWorld, SHOP, SHOP_ID, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

describe('start', () => {
  test('refuses a store without a client id', async () => {
    await world.putStore({ clientId: undefined });
    expect(await outcome(startSignIn(world.deps, { shop: SHOP }))).toBe('CLIENT_ID_NOT_CONFIGURED');
  });

  test('on a store that was uninstalled', async () => {
    await world.putStore({ status: 'uninstalled' });
    expect(await outcome(startSignIn(world.deps, { shop: SHOP }))).toBe('SHOP_NOT_INSTALLED');
  });

  test('the address has everything the platform asks for, and neither nonce nor verifier', async () => {
    const { authUrl, verifier, nonce, state, redirectUri } = await startSignIn(world.deps, { shop: SHOP });
    expect(Object.fromEntries(new URL(authUrl).searchParams)).toMatchObject({
      client_id: 'client-1',
      response_type: 'code',
      scope: 'openid email customer-account-api:full',
      redirect_uri: `shop.${SHOP_ID}.app://callback`,
      code_challenge_method: 'S256',
      state,
    });
    expect(redirectUri).toBe(`shop.${SHOP_ID}.app://callback`);
    expect(authUrl).not.toContain(nonce);
    expect(authUrl).not.toContain(verifier);
    expect(world.platform.state.requests).toEqual([]);
  });
});
