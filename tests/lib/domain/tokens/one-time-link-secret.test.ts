import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createAdminKey } from '../../../../lib/domain/tokens/admin-key.ts';
import {
  createOneTimeLinkSecret,
  oneTimeLinkProofOf,
  openSealedAdminKey,
  sealAdminKey,
} from '../../../../lib/domain/tokens/one-time-link-secret.ts';

const { text } = createAdminKey(1 as ShopId, randomBytes);

test('another secret opens nothing', () => {
  const sealed = sealAdminKey(text, createOneTimeLinkSecret(randomBytes), randomBytes);
  expect(openSealedAdminKey(sealed, createOneTimeLinkSecret(randomBytes))).toBeUndefined();
});

test('the secret opens the key; the proof is not the secret', () => {
  const secret = createOneTimeLinkSecret(randomBytes);
  expect(openSealedAdminKey(sealAdminKey(text, secret, randomBytes), secret)).toBe(text);
  expect(oneTimeLinkProofOf(secret)).not.toBe(secret);
});
