/** Opens (claims) a one-time link: its admin key becomes live, and the caller gets the sealed key. */
import { timingSafeEqual } from 'node:crypto';
import type { ShopDomain } from '../../domain/shop-domain.ts';
import { hashOneTimeLinkProof } from '../../domain/tokens/one-time-link-secret.ts';
import type { Logger } from '../../observability/logger.ts';
import { writeAdminKeyClaim } from '../../storage/admin-key-claims.ts';
import { isAdminKeyClaimable, parseAdminKeys } from '../../storage/admin-key-record.ts';
import type {
  OneTimeLinkId,
  OneTimeLinkRecord,
  OneTimeLinks,
  WrongDomainLimit,
} from '../../storage/one-time-links.ts';
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
  readonly linkId: OneTimeLinkId;
  /**
   * The proof that the page derives from the secret in the link's URL fragment, base64url. It cannot decrypt the key.
   */
  readonly proof: string;
  /** A random id that the page creates, so that it can repeat the request after a lost response. */
  readonly claimId: string;
  /** The store's domain that the person typed. */
  readonly domain: ShopDomain;
};
type AdminKeyClaimOutcome =
  | { readonly outcome: 'opened'; readonly sealedKey: string; readonly keyId: string; readonly label: string }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'wrong-domain' }
  | { readonly outcome: 'locked'; readonly retryAfterSeconds: number }
  /** `openedAtMs` is when another request opened the link. Undefined when the link expired without being opened. */
  | { readonly outcome: 'gone'; readonly openedAtMs: number | undefined };

/** For how long a claim can be repeated with the same claim id after a lost response. */
export const CLAIM_RETRY_WINDOW_MS = 120_000;

/** A link accepts five wrong domains in an hour. */
const WRONG_DOMAIN_LIMIT: WrongDomainLimit = { maxWrongDomains: 5, windowMs: 60 * 60_000 };

/**
 * Claims the link. Returns the sealed key for the first claim, and for repetitions with the same claim id within 120 s.
 * Returns `unknown` for every request without the right proof. Such requests are not counted: otherwise anyone who
 * knows the link's path could lock it.
 */
export async function claimAdminKey(
  deps: ClaimKeyDeps,
  request: ClaimKeyRequest,
): Promise<AdminKeyClaimOutcome> {
  const { links, now } = deps;
  const link = await links.find(request.linkId);
  if (link === undefined || !hasValidLinkProof(link, request.proof)) return { outcome: 'unknown' };
  if (isRetryOfClaim(link, request, now())) return recordAdminKeyClaim(deps, link);
  if (link.claimId !== undefined) return { outcome: 'gone', openedAtMs: link.claimedAtMs };
  if (now() >= link.voidAtMs) return EXPIRED_LINK_OUTCOME;

  const attemptResult = await countClaimAttempt(deps, link.linkId);
  if (attemptResult.outcome === 'opened') return resolveRefusedClaim(deps, request);
  if (attemptResult.outcome === 'exhausted') {
    return { outcome: 'locked', retryAfterSeconds: Math.ceil((attemptResult.retryAtMs - now()) / 1000) };
  }
  const store = await deps.stores.find(link.shopId);
  if (store?.domain !== request.domain) return { outcome: 'wrong-domain' };
  await links.refundClaimAttempt(attemptResult.link);

  if (!(await hasClaimableKey(deps, link))) return resolveRefusedClaim(deps, request);
  const claimedLink = await links.claim(link.linkId, { claimId: request.claimId, nowMs: now() });
  return claimedLink === 'refused'
    ? resolveRefusedClaim(deps, request)
    : recordAdminKeyClaim(deps, claimedLink);
}

/**
 * How often counting is repeated when five other attempts are in progress. Attempts with the right domain count, too,
 * until they are refunded or open the link.
 */
const MAX_COUNT_ATTEMPTS = 5;

/**
 * Counts the attempt as a wrong domain until the domain is checked. Returns `opened` when another request has opened
 * the link.
 */
async function countClaimAttempt({ links, now }: ClaimKeyDeps, linkId: OneTimeLinkId) {
  for (let attemptNumber = 1; ; attemptNumber++) {
    const attemptResult = await links.countClaimAttempt(linkId, now(), WRONG_DOMAIN_LIMIT);
    if (attemptResult.outcome === 'counted') return attemptResult;
    if ((await links.find(linkId))?.claimId !== undefined) return { outcome: 'opened' as const };
    if (attemptNumber === MAX_COUNT_ATTEMPTS) return attemptResult;
  }
}

const EXPIRED_LINK_OUTCOME: AdminKeyClaimOutcome = { outcome: 'gone', openedAtMs: undefined };

function hasValidLinkProof(link: OneTimeLinkRecord, proof: string): boolean {
  return timingSafeEqual(Buffer.from(link.proofHash), Buffer.from(hashOneTimeLinkProof(proof)));
}

function isRetryOfClaim(
  { claimId, claimedAtMs = 0 }: OneTimeLinkRecord,
  request: ClaimKeyRequest,
  nowMs: number,
) {
  return claimId === request.claimId && nowMs <= claimedAtMs + CLAIM_RETRY_WINDOW_MS;
}

/**
 * Whether the key of a link can still become live.
 * @throws TEMPORARILY_UNAVAILABLE when the store or its keys cannot be read
 */
export async function hasClaimableKey(
  { stores, readVersion, now }: Pick<ClaimKeyDeps, 'stores' | 'readVersion' | 'now'>,
  link: OneTimeLinkRecord,
): Promise<boolean> {
  const store = await stores.find(link.shopId);
  if (store?.adminKeysVersionId === undefined) return false;
  const secret = parseAdminKeys(await readVersion(link.shopId, 'admin-keys', store.adminKeysVersionId));
  const adminKeyRecord = secret.keys.find(({ id }) => id === link.keyId);
  return adminKeyRecord !== undefined && isAdminKeyClaimable(adminKeyRecord, store, now());
}

/** Reads the link again after a refused claim: this request's own claim may have succeeded, with a lost response. */
async function resolveRefusedClaim(
  deps: ClaimKeyDeps,
  request: ClaimKeyRequest,
): Promise<AdminKeyClaimOutcome> {
  const link = await deps.links.find(request.linkId);
  if (link !== undefined && isRetryOfClaim(link, request, deps.now())) return recordAdminKeyClaim(deps, link);
  return { outcome: 'gone', openedAtMs: link?.claimedAtMs };
}

/** Records the claim in the KEYS item, which makes the key live from the time of the claim. May be repeated. */
async function recordAdminKeyClaim(
  { table, stores, logger }: ClaimKeyDeps,
  link: OneTimeLinkRecord,
): Promise<AdminKeyClaimOutcome> {
  const { shopId, keyId, claimedAtMs = 0, sealedKey, label } = link;
  const store = await stores.find(shopId);
  const writeResult = store && (await writeAdminKeyClaim(table, store, { keyId, claimedAtMs }));
  if (writeResult !== 'done') return EXPIRED_LINK_OUTCOME;
  // A restore of the table replays these log lines.
  logger.info('key.claimed', { shopId, keyId, claimedAtMs });
  return { outcome: 'opened', sealedKey, keyId, label };
}
