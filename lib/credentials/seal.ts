/**
 * Sealed boxes: secrets in the table, encrypted with a key derived for their store. The place is part of the
 * seal, so a box copied to another item or attribute does not open; the box names its key of the ring.
 */

import type { ShopId } from '../domain/shop-id.ts';
import { parseKeyId } from '../domain/tokens/key-id.ts';
import { decrypt, encrypt } from './aes-gcm.ts';
import type { TokenKeys } from './token-keys.ts';

/** The place where a box lies: its item's key and attribute. */
type SealedPlace = {
  readonly shopId: ShopId;
  readonly pk: string;
  readonly sk: string;
  readonly attribute: string;
};

export type SealDeps = {
  readonly tokenKeys: TokenKeys;
  readonly random: (bytes: number) => Uint8Array;
};

/** A box for `place`: `{key id}.{base64url}`. TEMPORARILY_UNAVAILABLE without a ring. */
export async function seal(
  { tokenKeys, random }: SealDeps,
  place: SealedPlace,
  text: string,
): Promise<string> {
  const ringKey = await tokenKeys.signing();
  const encryption = { key: ringKey.sealingKeyOf(place.shopId), additionalData: additionalDataOf(place) };
  return `${ringKey.kid}.${encrypt(encryption, text, random).toString('base64url')}`;
}

/**
 * The sealed text; undefined if the box does not open here: its key was retired, or it is not this
 * place's. TEMPORARILY_UNAVAILABLE if its key is not known and the ring is out of reach.
 */
export async function open(
  tokenKeys: TokenKeys,
  place: SealedPlace,
  box: string,
): Promise<string | undefined> {
  const [kidText = '', encoded = ''] = box.split('.');
  const kid = parseKeyId(kidText);
  const ringKey = kid && (await tokenKeys.find(kid));
  if (ringKey === undefined) return undefined;
  const encryption = { key: ringKey.sealingKeyOf(place.shopId), additionalData: additionalDataOf(place) };
  return decrypt(encryption, Buffer.from(encoded, 'base64url'));
}

function additionalDataOf({ pk, sk, attribute }: SealedPlace): string {
  return `${pk}\n${sk}\n${attribute}`;
}
