/** A merchant's browser with a one-time link. */
import { randomBytes } from 'node:crypto';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import {
  type OneTimeLinkSecret,
  oneTimeLinkProofOf,
  openSealedAdminKey,
} from '../../../../lib/domain/tokens/one-time-link-secret.ts';
import { claimAdminKey } from '../../../../lib/stores/admin-keys/claim-admin-key.ts';
import type { IssuedAdminKey } from '../../../../lib/stores/admin-keys/issue-admin-key.ts';
import type { Deps } from './world.ts';

export const FACTS = { label: 'Back office', intendedUse: 'Nightly sync', createdBy: 'ops' };

export function claimOf(issued: IssuedAdminKey, domain: ShopDomain) {
  return {
    linkId: issued.linkId,
    proof: oneTimeLinkProofOf(issued.fragment as OneTimeLinkSecret),
    claimId: randomBytes(16).toString('base64url'),
    domain,
  };
}

/** The link opened; the key in clear. */
export async function open(deps: Deps, issued: IssuedAdminKey, domain: ShopDomain): Promise<string> {
  const claimed = await claimAdminKey(deps, claimOf(issued, domain));
  if (claimed.outcome !== 'opened') throw new Error(`not opened: ${claimed.outcome}`);
  const key = openSealedAdminKey(claimed.sealedKey, issued.fragment as OneTimeLinkSecret);
  if (key === undefined) throw new Error('the key does not open');
  return key;
}

/** The verifier's answer to a key: `ok`, or the code and what is said of it. */
export async function tryKey(deps: Deps, key: string): Promise<string> {
  try {
    await deps.verify(`Bearer ${key}`);
    return 'ok';
  } catch (error) {
    const { code, details } = error as { code?: string; details?: string };
    return `${code}: ${details ?? ''}`;
  }
}
