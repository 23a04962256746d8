/** Opens a one-time link: its admin key becomes live. */
import { timingSafeEqual } from 'node:crypto';
import type { ShopDomain } from '../../domain/shop-domain.ts';
import { hashProof } from '../../domain/tokens/one-time-link-secret.ts';
import type { Logger } from '../../observability/logger.ts';
import { isClaimable, parseAdminKeys } from '../../storage/admin-key-record.ts';
import { writeKeyClaim } from '../../storage/key-claims.ts';
import type { DomainLimit, LinkId, OneTimeLinkRecord, OneTimeLinks } from '../../storage/one-time-links.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import type { VersionReader } from '../../storage/versioned-secret.ts';

export type ClaimKeyDeps = {
  readonly table: Table;
  readonly links: OneTimeLinks;
  readonly stores: Stores;
  readonly readVersion: VersionReader;
  readonly logger: Pick<Logger, 'info'>;
  readonly now: () => number;
};
export type ClaimKeyRequest = {
  readonly linkId: LinkId;
  /** The proof derived from the link's fragment, base64url; it cannot decrypt the key. */
  readonly proof: string;
  /** The id that the page created; the page can retry with it after a lost response. */
  readonly claimId: string;
  /** The domain that the person entered. */
  readonly domain: ShopDomain;
};
type ClaimedKey =
  | { readonly outcome: 'opened'; readonly sealedKey: string; readonly keyId: string; readonly label: string }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'wrong-domain' }
  | { readonly outcome: 'locked'; readonly retryAfterSeconds: number }
  /** Another request opened the link at that time; undefined when the link expired unopened. */
  | { readonly outcome: 'gone'; readonly openedAtMs: number | undefined };

/** How long a claim can be retried with the same claim id after a lost response. */
export const CLAIM_RETRY_MS = 120_000;

/** A link accepts five wrong domains an hour. */
const WRONG_DOMAINS: DomainLimit = { maxWrong: 5, windowMs: 60 * 60_000 };

/**
 * Returns the sealed key for the first claim, and for retries with the same claim id within 120 s. `unknown` without
 * the right proof, for any link: such attempts are not counted, so that knowing only the path cannot lock a link.
 */
export async function claimAdminKey(deps: ClaimKeyDeps, request: ClaimKeyRequest): Promise<ClaimedKey> {
  const { links, now } = deps;
  const link = await links.find(request.linkId);
  if (link === undefined || !isProved(link, request.proof)) return { outcome: 'unknown' };
  if (isOwnClaim(link, request, now())) return finish(deps, link);
  if (link.claimId !== undefined) return { outcome: 'gone', openedAtMs: link.claimedAtMs };
  if (now() >= link.voidAtMs) return VOID;

  const counted = await countTry(deps, link.linkId);
  if (counted.outcome === 'opened') return goneNow(deps, request);
  if (counted.outcome === 'exhausted') {
    return { outcome: 'locked', retryAfterSeconds: Math.ceil((counted.untilMs - now()) / 1000) };
  }
  const store = await deps.stores.find(link.shopId);
  if (store?.domain !== request.domain) return { outcome: 'wrong-domain' };
  await links.release(counted.link);

  if (!(await hasClaimableKey(deps, link))) return goneNow(deps, request);
  const claimed = await links.claim(link.linkId, { claimId: request.claimId, nowMs: now() });
  return claimed === 'refused' ? goneNow(deps, request) : finish(deps, claimed);
}

/** Attempts with the right domain are counted, too, until they are refunded or open the link. */
const MAX_COUNTS = 5;

/** Counts an attempt. `opened`: another request has opened the link in the meantime. */
async function countTry({ links, now }: ClaimKeyDeps, linkId: LinkId) {
  for (let counts = 1; ; counts++) {
    const counted = await links.countTry(linkId, now(), WRONG_DOMAINS);
    if (counted.outcome === 'counted') return counted;
    if ((await links.find(linkId))?.claimId !== undefined) return { outcome: 'opened' as const };
    if (counts === MAX_COUNTS) return counted;
  }
}

const VOID: ClaimedKey = { outcome: 'gone', openedAtMs: undefined };

function isProved(link: OneTimeLinkRecord, proof: string): boolean {
  return timingSafeEqual(Buffer.from(link.proofHash), Buffer.from(hashProof(proof)));
}

function isOwnClaim(
  { claimId, claimedAtMs = 0 }: OneTimeLinkRecord,
  request: ClaimKeyRequest,
  nowMs: number,
) {
  return claimId === request.claimId && nowMs <= claimedAtMs + CLAIM_RETRY_MS;
}

/**
 * Whether the key of a link can still become live.
 * @throws TEMPORARILY_UNAVAILABLE when that is unknown
 */
export async function hasClaimableKey(
  { stores, readVersion, now }: Pick<ClaimKeyDeps, 'stores' | 'readVersion' | 'now'>,
  link: OneTimeLinkRecord,
): Promise<boolean> {
  const store = await stores.find(link.shopId);
  if (store?.adminKeysVersionId === undefined) return false;
  const secret = parseAdminKeys(await readVersion(link.shopId, 'admin-keys', store.adminKeysVersionId));
  const record = secret.keys.find(({ id }) => id === link.keyId);
  return record !== undefined && isClaimable(record, store, now());
}

/**
 * The claim was refused, or would be. A second read finds out whether this request's own claim succeeded and its
 * response was lost.
 */
async function goneNow(deps: ClaimKeyDeps, request: ClaimKeyRequest): Promise<ClaimedKey> {
  const link = await deps.links.find(request.linkId);
  if (link !== undefined && isOwnClaim(link, request, deps.now())) return finish(deps, link);
  return { outcome: 'gone', openedAtMs: link?.claimedAtMs };
}

/** Makes the key live from the time the link was opened; idempotent. */
async function finish({ table, stores, logger }: ClaimKeyDeps, link: OneTimeLinkRecord): Promise<ClaimedKey> {
  const { shopId, keyId, claimedAtMs = 0, sealedKey, label } = link;
  const store = await stores.find(shopId);
  const written = store && (await writeKeyClaim(table, store, { keyId, claimedAtMs }));
  if (written !== 'done') return VOID;
  // Restoring the table replays these log lines.
  logger.info('key.claimed', { shopId, keyId, claimedAtMs });
  return { outcome: 'opened', sealedKey, keyId, label };
}
