/**
 * Validates a store's sign-in addresses. Its discovery document is untrusted input: customers are redirected to its
 * addresses, with their codes and tokens. The addresses are checked before any is pinned.
 */
import { isLoopbackHost } from '../../config/browser-origin.ts';
import type { ShopDomain } from '../../domain/shop-domain.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { SignInAddresses } from '../../storage/stores.ts';

/** The platform published an address that is never pinned; the message names it and the reason. */
export class ForbiddenSignInAddress extends Error {
  override readonly name = 'ForbiddenSignInAddress';
}

/** A public host name in ASCII, which excludes numbers in any notation. */
const PUBLIC_HOST_NAME_PATTERN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;
/** Names that only exist in internal networks (RFC 6761, RFC 6762, RFC 8375). */
const INTERNAL_HOST_NAME_PATTERN = /\.(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/** @throws ForbiddenSignInAddress for the first address that may not be pinned, even if an operator confirms it */
export function rejectForbiddenAddresses(addresses: SignInAddresses, platformOrigin: string): void {
  for (const [name, address] of Object.entries(addresses)) {
    const reason = findReasonToForbidAddress(address, platformOrigin);
    if (reason !== undefined)
      throw new ForbiddenSignInAddress(
        `The platform's sign-in is not to be used: ${name} ${address} ${reason}.`,
      );
  }
}

function findReasonToForbidAddress(address: string, platformOrigin: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^[\x21-\x5b\x5d-\x7e]+$/.test(address)) return 'is no address';
  if (url.username !== '' || url.password !== '') return 'has user info in it';
  if (address.includes('#')) return 'has a fragment';
  if (isLoopbackUrl(url) && isLoopbackUrl(URL.parse(platformOrigin.replaceAll('{shop}', 'shop'))))
    return undefined;
  if (url.protocol !== 'https:') return 'is not https';
  if (url.port !== '') return 'names a port';
  return PUBLIC_HOST_NAME_PATTERN.test(url.hostname) && !INTERNAL_HOST_NAME_PATTERN.test(url.hostname)
    ? undefined
    : 'is on no public host';
}

function isLoopbackUrl(url: URL | null): boolean {
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname);
}

/** Returns how the addresses differ from the platform's pattern; for each difference a person has to decide. */
export function findUnexpectedAddresses(
  addresses: SignInAddresses,
  { shopId, domain }: { readonly shopId: ShopId; readonly domain: ShopDomain },
): string[] {
  const { issuer, customerApiUrl, ...endpoints } = addresses;
  const issuerUrl = new URL(issuer);
  const otherOriginEntries = Object.entries(endpoints).filter(
    ([, address]) => new URL(address).origin !== issuerUrl.origin,
  );
  const isApiOnKnownHost = [issuerUrl.hostname, domain].includes(new URL(customerApiUrl).hostname);
  const addressesOnOtherHosts = [
    ...otherOriginEntries,
    ...(isApiOnKnownHost ? [] : [['customerApiUrl', customerApiUrl]]),
  ];
  const addressHosts = new Set(Object.values(addresses).map((address) => new URL(address).hostname));
  return [
    ...(issuerUrl.pathname.split('/').includes(`${shopId}`)
      ? []
      : [`the issuer ${issuer} does not name the shop id ${shopId}`]),
    ...addressesOnOtherHosts.map(
      ([name = '', address = '']) => `${name} is on ${new URL(address).host}, not with the issuer`,
    ),
    ...[...addressHosts]
      .filter((host) => /(?:^|\.)xn--/.test(host))
      .map((host) => `${host} stands for letters of another alphabet`),
  ];
}
