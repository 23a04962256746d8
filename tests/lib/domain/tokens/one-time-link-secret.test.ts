import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createAdminKey } from '../../../../lib/domain/tokens/admin-key.ts';
import {
  createLinkSecret,
  linkProofOf,
  openSealedAdminKey,
  sealAdminKey,
} from '../../../../lib/domain/tokens/one-time-link-secret.ts';

const { text } = createAdminKey(1 as ShopId, randomBytes);

test('another secret opens nothing', () => {
  const sealed = sealAdminKey(text, createLinkSecret(randomBytes), randomBytes);
  expect(openSealedAdminKey(sealed, createLinkSecret(randomBytes))).toBeUndefined();
});

test('the secret opens the key; the proof is not the secret', () => {
  const secret = createLinkSecret(randomBytes);
  expect(openSealedAdminKey(sealAdminKey(text, secret, randomBytes), secret)).toBe(text);
  expect(linkProofOf(secret)).not.toBe(secret);
});
