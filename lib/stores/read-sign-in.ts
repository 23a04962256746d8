/** The sign-in addresses that a store is to be pinned to: as the platform names them now, and looked at first. */
import type { ShopDomain } from '../domain/shop-domain.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { StoreChangeRefused } from '../errors/store-change-refused.ts';
import { strangeAddresses } from '../platform/sign-in/sign-in-addresses.ts';
import type { SignInAddresses } from '../storage/stores.ts';

/** SignInAddressRefused for what may never be pinned; TEMPORARILY_UNAVAILABLE if there is no document. */
export type DiscoverSignIn = (domain: ShopDomain) => Promise<SignInAddresses>;
type ReadSignInRequest = {
  readonly shopId: ShopId;
  readonly domain: ShopDomain;
  /** The addresses that are pinned now: nobody is asked twice about them. */
  readonly pinned?: SignInAddresses | undefined;
  /** The operator's word: addresses with this issuer are the platform's own. */
  readonly trustedIssuer?: string | undefined;
};
/** One address of a store that the platform has moved. */
export type MovedAddress = {
  readonly name: keyof SignInAddresses;
  readonly before: string;
  readonly after: string;
};

/** The addresses. StoreChangeRefused if they are not as the platform's own are, and no operator vouches for them. */
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

/** An address without the version that an API's carries, which moves by itself. */
function withoutVersion(address: string): string {
  return address.replace(/\/\d{4}-\d{2}(?=\/)/, '');
}

/** The addresses that differ, versions apart, in their order. */
export function movedAddresses(before: SignInAddresses, after: SignInAddresses): MovedAddress[] {
  const names = Object.keys(after) as (keyof SignInAddresses)[];
  return names
    .filter((name) => withoutVersion(after[name]) !== withoutVersion(before[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }));
}
