/** IP networks in CIDR notation (RFC 4632, section 3.1; RFC 4291, section 2.3), and whether an address is in one. */
import { BlockList, isIP } from 'node:net';
import type { Brand } from './brand.ts';

/** A network as text with its prefix length, for example `203.0.113.0/24` or `2001:db8::/32`. */
export type Network = Brand<string, 'Network'>;

const CIDR_PATTERN = /^([0-9a-fA-F:.]+)(?:\/([1-9][0-9]{0,2}))?$/;
const ADDRESS_BITS = { 4: 32, 6: 128 } as const;
type IpVersion = keyof typeof ADDRESS_BITS;

/**
 * Parses a network. A single address becomes a network with one address.
 * @returns undefined when the text is invalid, has bits set after the prefix, or means all addresses
 */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', prefixLengthText] = CIDR_PATTERN.exec(text) ?? [];
  const ipVersion = ipVersionOf(address);
  if (ipVersion === undefined) return undefined;
  const prefixLength = prefixLengthText === undefined ? ADDRESS_BITS[ipVersion] : Number(prefixLengthText);
  if (prefixLength > ADDRESS_BITS[ipVersion]) return undefined;
  const hostBitCount = BigInt(ADDRESS_BITS[ipVersion] - prefixLength);
  const addressNumber = ipAddressToNumber(address, ipVersion);
  return (addressNumber >> hostBitCount) << hostBitCount === addressNumber
    ? (`${address.toLowerCase()}/${prefixLength}` as Network)
    : undefined;
}

/**
 * The minimum prefix length of a network that limits a key. Networks with shorter prefixes could together contain all
 * addresses.
 */
const MIN_PREFIX_LENGTH = { 4: 8, 6: 16 } as const;
const IPV4_MAPPED_ADDRESSES = new BlockList();
IPV4_MAPPED_ADDRESSES.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * Whether a network is too wide to limit a key. An IPv4 network written as IPv6 (RFC 4291, section 2.5.5.2) also counts
 * as too wide, because the addresses of clients are plain IPv4, so it would match nothing.
 */
export function isNetworkTooWide(network: Network): boolean {
  const [baseAddress = '', prefixLengthText] = network.split('/');
  const ipVersion = isIP(baseAddress) as IpVersion;
  return (
    Number(prefixLengthText) < MIN_PREFIX_LENGTH[ipVersion] ||
    (ipVersion === 6 && IPV4_MAPPED_ADDRESSES.check(baseAddress, 'ipv6'))
  );
}

/** Whether the address is in one of the networks. False when the text is not an address. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const ipVersion = ipVersionOf(address);
  if (ipVersion === undefined) return false;
  const list = new BlockList();
  for (const network of networks.filter((text) => parseNetwork(text) !== undefined)) {
    const [baseAddress = '', prefixLengthText] = network.split('/');
    list.addSubnet(baseAddress, Number(prefixLengthText), ipFamilyNameOf(isIP(baseAddress)));
  }
  return list.check(address, ipFamilyNameOf(ipVersion));
}

function ipFamilyNameOf(version: number): 'ipv4' | 'ipv6' {
  return version === 6 ? 'ipv6' : 'ipv4';
}

/**
 * Returns the IP version of an address. An IPv6 address that embeds an IPv4 address is not accepted, because the
 * addresses of clients are plain IPv4.
 * @returns undefined when the text is not an accepted address
 */
function ipVersionOf(address: string): IpVersion | undefined {
  const ipVersion = isIP(address);
  if (ipVersion === 4) return 4;
  return ipVersion === 6 && !/[.%]/.test(address) ? 6 : undefined;
}

/** Converts an address to a number. An IPv6 address must not contain dots. */
export function ipAddressToNumber(address: string, version: IpVersion): bigint {
  if (version === 4) return joinIpAddressParts(address.split('.'), 10, 8n);
  const [groupsBeforeGap = '', groupsAfterGap = ''] = address.split('::');
  const [leadingGroups, trailingGroups] = [groupsBeforeGap, groupsAfterGap].map((side) =>
    side.split(':').filter((group) => group !== ''),
  ) as [string[], string[]];
  const zeroGroups = Array<string>(8 - leadingGroups.length - trailingGroups.length).fill('0');
  return joinIpAddressParts([...leadingGroups, ...zeroGroups, ...trailingGroups], 16, 16n);
}

function joinIpAddressParts(parts: readonly string[], radix: number, bitsPerPart: bigint): bigint {
  return parts.reduce((number, part) => (number << bitsPerPart) | BigInt(Number.parseInt(part, radix)), 0n);
}
