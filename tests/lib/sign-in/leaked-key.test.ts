/** A leaked key is rejected at the next request because of the store's item, even if other services are unreachable. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { KeyId } from '../../../lib/domain/tokens/key-id.ts';
import { exchangeCodeForTokens } from '../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { startSignIn } from '../../../lib/sign-in/start-sign-in.ts';
import { outcome, refreshWith, revokeWith, signedIn, signInToCode, use } from './world/journey.ts';
import { createWorld, SHOP, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const NEW_RING = {
  keys: [
    {
      kid: 'new',
      use: 'sign',
      since: '2026-01-01T00:00:00Z',
      secret: Buffer.alloc(32, 9).toString('base64url'),
    },
  ],
};
const refuse = () => world.putStore({ refusedKids: ['0' as KeyId] });

describe('a leaked key, once it stands in the store', () => {
  test('is refused at the next request, Secrets Manager out of reach', async () => {
    const request = await signInToCode(world);
    const pair = await signedIn(world);
    await use(world.deps, pair);
    world.ring.isDown = true;
    await refuse();
    expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
    expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(revokeWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('INVALID_NONCE');
  });

  test('nothing is signed with it: a sign-in waits for the new ring, and is good then', async () => {
    const other = world.createContainer();
    await Promise.all([signedIn(world), other.tokenKeys.signingKey()]);
    await refuse();
    world.ring.isDown = true;
    world.advance(2);
    expect(await outcome(startSignIn(world.deps, { shop: SHOP }))).toBe('TEMPORARILY_UNAVAILABLE');
    world.ring.isDown = false;
    world.advance(31);
    expect(await outcome(startSignIn(world.deps, { shop: SHOP }))).toBe('TEMPORARILY_UNAVAILABLE');
    world.ring.json = NEW_RING;
    const before = world.ring.reads;
    expect(await outcome(startSignIn(world.deps, { shop: SHOP }))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(world.ring.reads).toBe(before);
    world.advance(2);
    const pair = await signedIn(world);
    await use(other, pair);
    expect(await outcome(refreshWith(other, pair))).toBe('ok');
  });
});
