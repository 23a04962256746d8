import type { TokenKeys } from '../credentials/token-keys.ts';
import { challengeOf } from '../domain/code-verifier.ts';
import { hashNonce, type NonceHash, nonceFormat } from '../domain/nonce.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';

const MAX_AGE_MS = 45 * 60_000;

export type PresentedNonce = { readonly nonce: string; readonly verifier: string; readonly shopId: ShopId };

/**
 * First check of an exchange, without I/O: the nonce is ours, not older than 45 minutes, of this shop, and of
 * this verifier. INVALID_NONCE for any mismatch, whichever it is. Names the sign-in that was started.
 */
export async function checkNonce(
  { tokenKeys, now }: { readonly tokenKeys: TokenKeys; readonly now: () => number },
  { nonce, verifier, shopId }: PresentedNonce,
): Promise<NonceHash> {
  const unverified = nonceFormat.parse(nonce);
  const key = unverified && (await tokenKeys.find(unverified.kid));
  const started = key && unverified.verify(key, challengeOf(verifier));
  if (started === undefined || started.shopId !== shopId || now() - started.startedAtMs > MAX_AGE_MS) {
    throw new ServiceError('INVALID_NONCE');
  }
  return hashNonce(nonce);
}
