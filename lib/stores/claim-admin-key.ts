/** Opens a one-time link: from then on its admin key is live. */
import { timingSafeEqual } from 'node:crypto';
import { hashProof } from '../domain/one-time-link-secret.ts';
import type { OneTimeLinkRecord, OneTimeLinks } from '../storage/one-time-links.ts';
import { storeKey } from '../storage/stores.ts';
import type { Table } from '../storage/table.ts';

export type ClaimKeyDeps = {
  readonly table: Table;
  readonly links: OneTimeLinks;
  readonly now: () => number;
};
export type ClaimKeyRequest = { readonly linkId: string; readonly proof: string; readonly claimId: string };
export type ClaimedKey =
  | { readonly outcome: 'opened'; readonly sealedKey: string }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'gone'; readonly openedAtMs: number | undefined };

/** A lost answer may be asked for again with the same claim id for this long. */
const REPEAT_MS = 120_000;

/**
 * The sealed key for the first claim, and again for the same claim id within 120 s. `unknown` without the
 * right proof, whatever the link; `gone` if somebody else opened it, or it is void.
 */
export async function claimAdminKey(deps: ClaimKeyDeps, request: ClaimKeyRequest): Promise<ClaimedKey> {
  const { links, table } = deps;
  const nowMs = deps.now();
  const link = await links.find(request.linkId);
  if (link === undefined || !isProved(link, request.proof)) return { outcome: 'unknown' };
  const claimed = await links.claim(request.linkId, { claimId: request.claimId, nowMs });
  const mine = claimed === 'refused' ? await repeated(links, request, nowMs) : claimed;
  if (mine === undefined) {
    return { outcome: 'gone', openedAtMs: (await links.find(request.linkId))?.claimedAtMs };
  }
  // The key is live from the moment the link was opened; repeating this changes nothing.
  await table.update({
    key: storeKey(mine.shopId),
    update: 'SET keyClaims.#key = if_not_exists(keyClaims.#key, :claimedAt)',
    condition: 'attribute_exists(pk)',
    names: { '#key': mine.keyId },
    values: { ':claimedAt': mine.claimedAtMs },
  });
  return { outcome: 'opened', sealedKey: mine.sealedKey };
}

function isProved(link: OneTimeLinkRecord, proof: string): boolean {
  return timingSafeEqual(Buffer.from(link.proofHash), Buffer.from(hashProof(proof)));
}

async function repeated(links: OneTimeLinks, { linkId, claimId }: ClaimKeyRequest, nowMs: number) {
  const link = await links.find(linkId);
  const isMine = link?.claimId === claimId && nowMs <= (link.claimedAtMs ?? 0) + REPEAT_MS;
  return isMine ? link : undefined;
}
