/** Reads and checks the sign-in addresses to pin for a store, as the platform publishes them now. */
import type { ShopDomain } from '../domain/shop-domain.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { StoreChangeRefused } from '../errors/store-change-refused.ts';
import { strangeAddresses } from '../platform/sign-in/sign-in-addresses.ts';
import type { SignInAddresses } from '../storage/stores.ts';

/**
 * @throws SignInAddressRefused for addresses that may never be pinned
 * @throws TEMPORARILY_UNAVAILABLE when there is no document
 */
export type DiscoverSignIn = (domain: ShopDomain) => Promise<SignInAddresses>;
type ReadSignInRequest = {
  readonly shopId: ShopId;
  readonly domain: ShopDomain;
  /** The pinned addresses, which need no second confirmation. */
  readonly pinned?: SignInAddresses | undefined;
  /** The operator's confirmation that addresses with this issuer are the platform's own. */
  readonly trustedIssuer?: string | undefined;
};
/** An address of a store that the platform has changed. */
export type MovedAddress = {
  readonly name: keyof SignInAddresses;
  readonly before: string;
  readonly after: string;
};

/**
 * Returns the addresses.
 * @throws StoreChangeRefused when they differ from the platform's pattern and no operator confirms them
 */
export async function readSignIn(
  { discoverSignIn }: { readonly discoverSignIn: DiscoverSignIn },
  { shopId, domain, pinned, trustedIssuer }: ReadSignInRequest,
): Promise<SignInAddresses> {
  const found = await discoverSignIn(domain);
  const known = pinned === undefined ? [] : strangeAddresses(pinned, { shopId, domain });
  const strange = strangeAddresses(found, { shopId, domain }).filter((reason) => !known.includes(reason));
  if (strange.length === 0 || trustedIssuer === found.issuer) return found;
  throw new StoreChangeRefused(
    `The sign-in of ${domain} looks strange: ${strange.join('; ')}. ` +
      `If you know that it is the platform's own, add --trust-issuer ${found.issuer}`,
  );
}

/** Removes the API version from an address, because it changes regularly. */
function withoutVersion(address: string): string {
  return address.replace(/\/\d{4}-\d{2}(?=\/)/, '');
}

/** Returns the addresses that differ, ignoring versions, in order. */
export function movedAddresses(before: SignInAddresses, after: SignInAddresses): MovedAddress[] {
  const names = Object.keys(after) as (keyof SignInAddresses)[];
  return names
    .filter((name) => withoutVersion(after[name]) !== withoutVersion(before[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }));
}
