import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type KeyRing, parseKeyRing } from '../../../lib/credentials/key-ring.ts';
import { openSealedBox, sealText } from '../../../lib/credentials/sealed-box.ts';
import type { TokenKeys } from '../../../lib/credentials/token-keys.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';

const place = { shopId: 1 as ShopId, pk: 'SESSIONS#1', sk: 'SESSION#a', attribute: 'linkTokens' };
const keysOf = (ring: KeyRing): TokenKeys => ({
  signingKey: async () => ring.signingKey,
  find: async (kid) => ring.keys.get(kid),
});
const tokenKeys = keysOf(parseKeyRing({ seed: 'a random string of the stack' }));
const deps = { tokenKeys, random: randomBytes };

describe('sealed boxes', () => {
  test.each([
    ['another store', { shopId: 2 as ShopId }],
    ['another item', { pk: 'SESSIONS#2' }],
    ['another session', { sk: 'SESSION#b' }],
    ['another attribute', { attribute: 'grant' }],
  ])('a box copied to %s does not open', async (_what, change) => {
    const box = await sealText(deps, place, 'secret');
    expect(await openSealedBox(tokenKeys, { ...place, ...change }, box)).toBeUndefined();
  });

  test('an altered box, and one without its key, do not open', async () => {
    const box = await sealText(deps, place, 'secret');
    const altered = box.slice(0, -3) + (box.endsWith('AAA') ? 'BBB' : 'AAA');
    expect(await openSealedBox(tokenKeys, place, altered)).toBeUndefined();
    expect(await openSealedBox(tokenKeys, place, '')).toBeUndefined();
    expect(await openSealedBox(tokenKeys, place, '0.')).toBeUndefined();
    const other = keysOf(parseKeyRing({ seed: 'another string of another stack' }));
    expect(await openSealedBox(other, place, box)).toBeUndefined();
  });

  test('opens where it was sealed, names its key, and is different every time', async () => {
    const box = await sealText(deps, place, 'secret');
    expect(box).toMatch(/^0\./);
    expect(box).not.toContain('secret');
    expect(await openSealedBox(tokenKeys, place, box)).toBe('secret');
    expect(await sealText(deps, place, 'secret')).not.toBe(box);
  });
});
