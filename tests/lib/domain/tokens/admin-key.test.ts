import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createAdminKey, hashAdminKey, parseAdminKey } from '../../../../lib/domain/tokens/admin-key.ts';

const shopIds = fc
  .maxSafeNat()
  .filter((n) => n > 0)
  .map((n) => n as ShopId);

describe('admin keys', () => {
  test.each([
    '',
    'SVC_AT_',
    'SVC_AT_short',
    `SVC_AT_${'0'.repeat(56)}`,
    `SVC_AT_${'z'.repeat(56)}`,
    `SVC_CT_${'0'.repeat(56)}`,
  ])('refuses %j', (text) => {
    expect(parseAdminKey(text)).toBeUndefined();
  });

  test('any changed character is found out without asking anybody', () => {
    const { text } = createAdminKey(81234567001 as ShopId, randomBytes);
    for (let at = 7; at < text.length; at++) {
      const other = text[at] === 'a' ? 'b' : 'a';
      expect(parseAdminKey(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
    }
  });

  test('a key names its store and its record, and has the documented pattern', () => {
    fc.assert(
      fc.property(shopIds, (shopId) => {
        const key = createAdminKey(shopId, randomBytes);
        expect(key.text).toMatch(/^SVC_AT_[0-9A-Za-z]{56}$/);
        expect(parseAdminKey(key.text)).toEqual(key);
        expect(key.text).not.toContain(key.keyId.slice(4));
      }),
    );
  });

  test('what is kept does not hold the key', () => {
    const { text } = createAdminKey(1 as ShopId, randomBytes);
    expect(hashAdminKey(text)).toMatch(/^[\w-]{43}$/);
  });
});
