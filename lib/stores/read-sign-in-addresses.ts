/** Reads the sign-in addresses that the platform publishes for a store, and checks whether they may be pinned. */
import type { ShopDomain } from '../domain/shop-domain.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { StoreChangeRefused } from '../errors/store-change-refused.ts';
import { findUnexpectedAddresses } from '../platform/sign-in/sign-in-addresses.ts';
import type { SignInAddresses } from '../storage/stores.ts';

/**
 * Reads the addresses from the platform's discovery document.
 * @throws ForbiddenSignInAddress when an address must never be pinned
 * @throws TEMPORARILY_UNAVAILABLE when there is no document
 */
export type DiscoverSignIn = (domain: ShopDomain) => Promise<SignInAddresses>;
type ReadSignInRequest = {
  readonly shopId: ShopId;
  readonly domain: ShopDomain;
  /** The addresses that are pinned now. Unexpected properties that they have, too, were confirmed before. */
  readonly pinned?: SignInAddresses | undefined;
  /** The issuer that the operator confirmed to be the platform's own. */
  readonly trustedIssuer?: string | undefined;
};
/** An address that differs from the pinned one. */
export type MovedAddress = {
  readonly name: keyof SignInAddresses;
  readonly before: string;
  readonly after: string;
};

/**
 * Reads the addresses, and returns them if they may be pinned.
 * @throws StoreChangeRefused when they do not have the form of the platform's addresses and the operator has not
 * confirmed their issuer
 */
export async function readSignInAddresses(
  { discoverSignIn }: { readonly discoverSignIn: DiscoverSignIn },
  { shopId, domain, pinned, trustedIssuer }: ReadSignInRequest,
): Promise<SignInAddresses> {
  const discoveredAddresses = await discoverSignIn(domain);
  const confirmedDeviations = pinned === undefined ? [] : findUnexpectedAddresses(pinned, { shopId, domain });
  const unconfirmedDeviations = findUnexpectedAddresses(discoveredAddresses, { shopId, domain }).filter(
    (reason) => !confirmedDeviations.includes(reason),
  );
  if (unconfirmedDeviations.length === 0 || trustedIssuer === discoveredAddresses.issuer)
    return discoveredAddresses;
  throw new StoreChangeRefused(
    `The sign-in of ${domain} looks strange: ${unconfirmedDeviations.join('; ')}. ` +
      `If you know that it is the platform's own, add --trust-issuer ${discoveredAddresses.issuer}`,
  );
}

/** Removes the API version (such as `2025-01`) from an address, because it changes regularly. */
function removeApiVersion(address: string): string {
  return address.replace(/\/\d{4}-\d{2}(?=\/)/, '');
}

/** Returns the addresses that differ, in the order of the fields. Ignores API versions. */
export function listMovedAddresses(before: SignInAddresses, after: SignInAddresses): MovedAddress[] {
  const addressNames = Object.keys(after) as (keyof SignInAddresses)[];
  return addressNames
    .filter((name) => removeApiVersion(after[name]) !== removeApiVersion(before[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }));
}
