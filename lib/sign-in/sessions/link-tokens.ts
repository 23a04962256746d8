/**
 * The platform's tokens of a customer, as they lie sealed in a session: to refresh the platform's sign-in, and to end
 * it.
 */
import { open, type SealDeps, seal } from '../../credentials/seal.ts';
import type { TokenKeys } from '../../credentials/token-keys.ts';
import {
  linkTokensPlace,
  type SessionRecord,
  type SessionRef,
} from '../../storage/sessions/session-record.ts';

export type LinkTokens = { readonly refreshToken: string; readonly idToken: string };

/** A box that opens in this session alone. TEMPORARILY_UNAVAILABLE without a ring of keys. */
export function sealLinkTokens(deps: SealDeps, ref: SessionRef, tokens: LinkTokens): Promise<string> {
  return seal(deps, linkTokensPlace(ref), JSON.stringify(tokens));
}

/** The tokens of a session; undefined if it has none, or if they do not open: their key was retired. */
export async function openLinkTokens(
  tokenKeys: TokenKeys,
  session: SessionRecord,
): Promise<LinkTokens | undefined> {
  if (session.linkTokens === undefined) return undefined;
  const text = await open(tokenKeys, linkTokensPlace(session), session.linkTokens);
  return text === undefined ? undefined : (JSON.parse(text) as LinkTokens);
}
