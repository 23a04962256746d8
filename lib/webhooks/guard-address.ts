/**
 * Restricts merchants' endpoints to public addresses, so that the service cannot be made to call addresses that only
 * it can reach. A name is checked by its resolved addresses, for each connection.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopbackHost } from '../config/browser-origin.ts';
import { awaitAll } from '../domain/await-all.ts';
import type { Brand } from '../domain/brand.ts';
import { ipAddressToNumber } from '../domain/network.ts';

/** An https URL without user, on port 443, normalised by the URL standard. Its host name is not resolved yet. */
export type EndpointUrl = Brand<string, 'EndpointUrl'>;

/** Why a URL is refused. UNRESOLVED may be transient: the DNS lookup failed, or the host name has no address. */
export type AddressRefusal =
  | 'NOT_A_URL'
  | 'TOO_LONG'
  | 'NOT_HTTPS'
  | 'USER_IN_URL'
  | 'OTHER_PORT'
  | 'NOT_PUBLIC'
  | 'UNRESOLVED';

export type AddressGuardDeps = {
  /** Resolves all addresses of a name. */
  readonly resolve: (name: string) => Promise<readonly LookupAddress[]>;
  /** Whether endpoints on the local machine are allowed, also with http and on any port: only if the platform is local, too. */
  readonly allowsLoopback: boolean;
};

const MAX_URL_LENGTH = 2048;

/** IANA's special-purpose registry for IPv4 (RFC 6890), multicast and reserved addresses. */
const NON_PUBLIC_IPV4 = createBlockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/**
 * Global unicast (RFC 4291, section 2.4). Addresses that contain an IPv4 address are outside it or in the list below,
 * except ISATAP and a network's own translation prefix (RFC 6052, section 2.2), which an address does not show.
 */
const GLOBAL_UNICAST_IPV6 = createBlockList('ipv6', ['2000::/3']);
/** Addresses of protocols (including Teredo), documentation, and 6to4, which can contain any IPv4 address. */
const NON_PUBLIC_IPV6 = createBlockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether endpoints may be local: only if the platform is. `platformOrigin`: `PLATFORM_ORIGIN`. */
export function allowsLoopbackEndpoints(platformOrigin: string): boolean {
  return isLoopbackHost(new URL(platformOrigin.replaceAll('{shop}', 'shop')).hostname);
}

/** Parses a URL to its stored form, or returns why it is refused. Does not resolve the name. */
export function parseEndpointUrl(
  text: string,
  deps: Pick<AddressGuardDeps, 'allowsLoopback'>,
): { readonly url: EndpointUrl } | { readonly refused: AddressRefusal } {
  if (text.length > MAX_URL_LENGTH) return { refused: 'TOO_LONG' };
  if (!URL.canParse(text)) return { refused: 'NOT_A_URL' };
  const url = new URL(text);
  const isLoopback = deps.allowsLoopback && isLoopbackHost(url.hostname);
  if (url.protocol !== 'https:' && !(isLoopback && url.protocol === 'http:')) return { refused: 'NOT_HTTPS' };
  if (url.username !== '' || url.password !== '') return { refused: 'USER_IN_URL' };
  // The standard omits the default port.
  if (url.port !== '' && !isLoopback) return { refused: 'OTHER_PORT' };
  const literalAddress = stripIpv6Brackets(url.hostname);
  if (isIP(literalAddress) !== 0 && !isLoopback && !isPublicAddress(literalAddress))
    return { refused: 'NOT_PUBLIC' };
  // The fragment is never sent.
  url.hash = '';
  if (url.href.length > MAX_URL_LENGTH) return { refused: 'TOO_LONG' };
  return { url: url.href as EndpointUrl };
}

/** Like `parseEndpointUrl`, but also resolves the host name, whose addresses must all be public. */
export async function checkEndpointUrl(
  deps: AddressGuardDeps,
  text: string,
): Promise<{ readonly url: EndpointUrl } | { readonly refused: AddressRefusal }> {
  const parseResult = parseEndpointUrl(text, deps);
  if ('refused' in parseResult) return parseResult;
  const { hostname } = new URL(parseResult.url);
  if (isIP(stripIpv6Brackets(hostname)) !== 0) return parseResult;
  const addresses = await resolveToPublicAddresses(deps, hostname);
  return Array.isArray(addresses) ? parseResult : { refused: addresses as AddressRefusal };
}

/** The error of a connection that was prevented. */
export class ForbiddenAddressError extends Error {
  readonly refusal: AddressRefusal;

  constructor(refusal: AddressRefusal) {
    super(`the endpoint's address is refused: ${refusal}`);
    this.name = 'AddressError';
    this.refusal = refusal;
  }
}

/**
 * Creates the lookup function of connections. It returns only checked addresses, and the connection uses exactly these, so a
 * changed DNS response cannot get around the check. Node does not call it for a literal address, which `parseEndpointUrl`
 * checks.
 */
export function createGuardedLookup(deps: AddressGuardDeps): LookupFunction {
  return (name, options, callback) => {
    resolveToPublicAddresses(deps, name).then((addresses) => {
      if (typeof addresses === 'string') return callback(new ForbiddenAddressError(addresses), '', 0);
      const [firstAddress] = addresses;
      if (options.all === true) callback(null, [...addresses]);
      else callback(null, firstAddress.address, firstAddress.family);
    });
  };
}

type ResolvedAddresses = readonly [LookupAddress, ...LookupAddress[]];

async function resolveToPublicAddresses(
  deps: AddressGuardDeps,
  name: string,
): Promise<ResolvedAddresses | AddressRefusal> {
  const addresses = await deps.resolve(name).catch(() => []);
  const [firstAddress, ...otherAddresses] = addresses;
  if (firstAddress === undefined) return 'UNRESOLVED';
  const isLoopback = deps.allowsLoopback && isLoopbackHost(name);
  return isLoopback || addresses.every(({ address }) => isPublicAddress(address))
    ? [firstAddress, ...otherAddresses]
    : 'NOT_PUBLIC';
}

function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !NON_PUBLIC_IPV4.check(address);
  // A zone (RFC 4007, section 11) limits an address to a link of this machine.
  if (isIP(address) !== 6 || address.includes('%') || !GLOBAL_UNICAST_IPV6.check(address, 'ipv6'))
    return false;
  return !NON_PUBLIC_IPV6.check(address, 'ipv6') && !isIsatapAddress(address);
}

/**
 * Whether an IPv6 address of any network ends in an ISATAP interface identifier (RFC 5214, section 6.1): the
 * universal and group bits, 5EFE, and an IPv4 address, which may be private.
 */
function isIsatapAddress(address: string): boolean {
  // The URL standard writes an embedded IPv4 address as groups.
  const addressText = stripIpv6Brackets(new URL(`https://[${address}]/`).hostname);
  return ((ipAddressToNumber(addressText, 6) >> 32n) & 0xfcff_ffffn) === 0x5efen;
}

/** Returns the address without brackets, or the name unchanged. */
function stripIpv6Brackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function createBlockList(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', prefix] = network.split('/');
    list.addSubnet(base, Number(prefix), family);
  }
  return list;
}

const DNS_TIMEOUT_MS = 2000;
const MAX_DNS_ATTEMPTS = 2;

/** RFC 6761, section 6.3: this name is never queried. */
const LOCALHOST_ADDRESSES: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns the addresses of a name, IPv4 first, by direct DNS queries: the operating system's lookup blocks one of four
 * threads for each name, so a few unresponsive names would delay all others. Empty when the name has no address, or the
 * name servers do not respond.
 */
export async function resolveHostName(name: string): Promise<readonly LookupAddress[]> {
  if (isLoopbackHost(name)) return LOCALHOST_ADDRESSES;
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: MAX_DNS_ATTEMPTS });
  const [v4, v6] = await awaitAll([
    resolver.resolve4(name).catch(() => []),
    resolver.resolve6(name).catch(() => []),
  ]);
  return [...v4.map((address) => ({ address, family: 4 })), ...v6.map((address) => ({ address, family: 6 }))];
}
