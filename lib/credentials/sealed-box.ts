/**
 * Sealed boxes: secrets in the table, encrypted with a key derived for their store. The seal covers the box's item
 * and attribute, so that a copy in another place does not open. The box contains the id of its key.
 */

import type { ShopId } from '../domain/shop-id.ts';
import { parseKeyId } from '../domain/tokens/key-id.ts';
import { decryptAesGcm, encryptAesGcm } from './aes-gcm.ts';
import type { TokenKeys } from './token-keys.ts';

/** The item's key and the attribute that contain a box. */
type SealContext = {
  readonly shopId: ShopId;
  readonly pk: string;
  readonly sk: string;
  readonly attribute: string;
};

export type SealDeps = {
  readonly tokenKeys: TokenKeys;
  readonly random: (bytes: number) => Uint8Array;
};

/**
 * Seals a text for `context`, as `{key id}.{base64url}`.
 * @throws TEMPORARILY_UNAVAILABLE without a key ring
 */
export async function sealText(
  { tokenKeys, random }: SealDeps,
  context: SealContext,
  text: string,
): Promise<string> {
  const ringKey = await tokenKeys.signingKey();
  const encryptionInput = {
    key: ringKey.sealingKeyOf(context.shopId),
    additionalData: sealAdditionalData(context),
  };
  return `${ringKey.kid}.${encryptAesGcm(encryptionInput, text, random).toString('base64url')}`;
}

/**
 * Opens a box.
 * @returns undefined when its key was retired, or the box belongs to another place
 * @throws TEMPORARILY_UNAVAILABLE when its key is not known and the key ring cannot be read
 */
export async function openSealedBox(
  tokenKeys: TokenKeys,
  context: SealContext,
  box: string,
): Promise<string | undefined> {
  const [kidText = '', encodedSeal = ''] = box.split('.');
  const kid = parseKeyId(kidText);
  const ringKey = kid && (await tokenKeys.find(kid));
  if (ringKey === undefined) return undefined;
  const decryptionInput = {
    key: ringKey.sealingKeyOf(context.shopId),
    additionalData: sealAdditionalData(context),
  };
  return decryptAesGcm(decryptionInput, Buffer.from(encodedSeal, 'base64url'));
}

function sealAdditionalData({ pk, sk, attribute }: SealContext): string {
  return `${pk}\n${sk}\n${attribute}`;
}
