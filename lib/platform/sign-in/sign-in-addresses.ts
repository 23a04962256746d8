/**
 * The addresses that a store's sign-in may have. Its discovery document is a text from outside: customers are sent to
 * what it names, and their codes and tokens with them. The addresses are looked at before any is pinned.
 */
import type { ShopDomain } from '../../domain/shop-domain.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { SignInAddresses } from '../../storage/stores.ts';

/** The platform names an address that is never pinned; the message says which, and why. */
export class SignInAddressRefused extends Error {
  override readonly name = 'SignInAddressRefused';
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** A public host's name in ASCII, so no number of any spelling. */
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;
/** Names that only an inner network knows (RFC 6761, RFC 6762, RFC 8375). */
const INNER = /\.(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/** SignInAddressRefused for the first address that may not be pinned, whatever an operator says. */
export function refuseForbidden(addresses: SignInAddresses, platformOrigin: string): void {
  for (const [name, address] of Object.entries(addresses)) {
    const why = whyForbidden(address, platformOrigin);
    if (why !== undefined)
      throw new SignInAddressRefused(`The platform's sign-in is not to be used: ${name} ${address} ${why}.`);
  }
}

function whyForbidden(address: string, platformOrigin: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^[\x21-\x5b\x5d-\x7e]+$/.test(address)) return 'is no address';
  if (url.username !== '' || url.password !== '') return 'has user info in it';
  if (address.includes('#')) return 'has a fragment';
  if (isOnThisMachine(url) && isOnThisMachine(URL.parse(platformOrigin.replaceAll('{shop}', 'shop'))))
    return undefined;
  if (url.protocol !== 'https:') return 'is not https';
  if (url.port !== '') return 'names a port';
  return HOST.test(url.hostname) && !INNER.test(url.hostname) ? undefined : 'is on no public host';
}

function isOnThisMachine(url: URL | null): boolean {
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname);
}

/** The ways in which addresses differ from the platform's own, each a reason for a person to look. */
export function strangeAddresses(
  addresses: SignInAddresses,
  { shopId, domain }: { readonly shopId: ShopId; readonly domain: ShopDomain },
): string[] {
  const { issuer, customerApiUrl, ...endpoints } = addresses;
  const home = new URL(issuer);
  const own = Object.entries(endpoints).filter(([, address]) => new URL(address).origin !== home.origin);
  const isApiOwn = [home.hostname, domain].includes(new URL(customerApiUrl).hostname);
  const elsewhere = [...own, ...(isApiOwn ? [] : [['customerApiUrl', customerApiUrl]])];
  const hosts = new Set(Object.values(addresses).map((address) => new URL(address).hostname));
  return [
    ...(home.pathname.split('/').includes(`${shopId}`)
      ? []
      : [`the issuer ${issuer} does not name the shop id ${shopId}`]),
    ...elsewhere.map(
      ([name = '', address = '']) => `${name} is on ${new URL(address).host}, not with the issuer`,
    ),
    ...[...hosts]
      .filter((host) => /(?:^|\.)xn--/.test(host))
      .map((host) => `${host} stands for letters of another alphabet`),
  ];
}
