/**
 * The platform's tokens of a customer. A session stores them encrypted. They are used to check whether the platform's
 * sign-in still exists, and to end it.
 */
import { openSealedBox, type SealDeps, sealText } from '../../credentials/sealed-box.ts';
import type { TokenKeys } from '../../credentials/token-keys.ts';
import {
  linkTokensSealContext,
  type SessionRecord,
  type SessionRef,
} from '../../storage/sessions/session-record.ts';

export type LinkTokens = { readonly refreshToken: string; readonly idToken: string };

/**
 * Encrypts the tokens for this session. They cannot be decrypted in another session's item.
 * @throws TEMPORARILY_UNAVAILABLE when the token keys cannot be read
 */
export function sealLinkTokens(deps: SealDeps, ref: SessionRef, tokens: LinkTokens): Promise<string> {
  return sealText(deps, linkTokensSealContext(ref), JSON.stringify(tokens));
}

/**
 * Decrypts the tokens of a session.
 * @returns undefined when it has none, or their key no longer exists
 */
export async function openLinkTokens(
  tokenKeys: TokenKeys,
  session: SessionRecord,
): Promise<LinkTokens | undefined> {
  if (session.linkTokens === undefined) return undefined;
  const tokensText = await openSealedBox(tokenKeys, linkTokensSealContext(session), session.linkTokens);
  return tokensText === undefined ? undefined : (JSON.parse(tokensText) as LinkTokens);
}
