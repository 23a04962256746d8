import type { TokenKeys } from '../../credentials/token-keys.ts';
import { codeChallengeOf } from '../../domain/tokens/code-verifier.ts';
import { hashSignInNonce, type NonceHash, nonceFormat } from '../../domain/tokens/nonce.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { StoreRecord } from '../../storage/stores.ts';

const MAX_NONCE_AGE_MS = 45 * 60_000;

type PresentedNonce = {
  readonly nonce: string;
  readonly verifier: string;
  readonly store: StoreRecord;
};

/**
 * Checks the nonce without I/O: the service issued it in the last 45 minutes, for this store and this code verifier.
 * Returns its hash, which finds the sign-in's item. The first exchange must start within 15 minutes (claim-sign-in.ts);
 * the rest of the time is for retries.
 * @throws INVALID_NONCE when a check fails; the error does not reveal which one
 */
export async function checkNonce(
  { tokenKeys, now }: { readonly tokenKeys: TokenKeys; readonly now: () => number },
  { nonce, verifier, store }: PresentedNonce,
): Promise<NonceHash> {
  const unverifiedNonce = nonceFormat.parse(nonce);
  const tokenKey = unverifiedNonce && (await tokenKeys.find(unverifiedNonce.kid));
  const verifiedNonce = tokenKey && unverifiedNonce.verify(tokenKey, codeChallengeOf(verifier));
  const isKeyRefused = tokenKey !== undefined && (store.refusedKids?.includes(tokenKey.kid) ?? false);
  if (
    isKeyRefused ||
    verifiedNonce === undefined ||
    verifiedNonce.shopId !== store.shopId ||
    now() - verifiedNonce.startedAtMs > MAX_NONCE_AGE_MS
  ) {
    throw new ServiceError('INVALID_NONCE');
  }
  return hashSignInNonce(nonce);
}
