/**
 * The platform's tokens of a customer, which are sealed in a session. They refresh the platform's sign-in and end it.
 */
import { open, type SealDeps, seal } from '../../credentials/seal.ts';
import type { TokenKeys } from '../../credentials/token-keys.ts';
import {
  linkTokensPlace,
  type SessionRecord,
  type SessionRef,
} from '../../storage/sessions/session-record.ts';

export type LinkTokens = { readonly refreshToken: string; readonly idToken: string };

/**
 * Seals the tokens, so that they open in this session alone.
 * @throws TEMPORARILY_UNAVAILABLE without a key ring
 */
export function sealLinkTokens(deps: SealDeps, ref: SessionRef, tokens: LinkTokens): Promise<string> {
  return seal(deps, linkTokensPlace(ref), JSON.stringify(tokens));
}

/**
 * Opens the tokens of a session.
 * @returns undefined when it has none, or when their key was retired
 */
export async function openLinkTokens(
  tokenKeys: TokenKeys,
  session: SessionRecord,
): Promise<LinkTokens | undefined> {
  if (session.linkTokens === undefined) return undefined;
  const text = await open(tokenKeys, linkTokensPlace(session), session.linkTokens);
  return text === undefined ? undefined : (JSON.parse(text) as LinkTokens);
}
