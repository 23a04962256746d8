/**
 * Networks in CIDR notation (RFC 4632, section 3.1; RFC 4291, section 2.3), and whether an address belongs to one.
 */
import { BlockList, isIP } from 'node:net';
import type { Brand } from './brand.ts';

/** A network's text with its prefix: `203.0.113.0/24`, `2001:db8::/32`. */
export type Network = Brand<string, 'Network'>;

const CIDR = /^([0-9a-fA-F:.]+)(?:\/([1-9][0-9]{0,2}))?$/;
const WIDTH = { 4: 32, 6: 128 } as const;
type Version = keyof typeof WIDTH;

/**
 * Parses a network; a single address is a network of one.
 * @returns undefined when it is invalid, has bits set after its prefix, or contains every address
 */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', length] = CIDR.exec(text) ?? [];
  const version = versionOf(address);
  if (version === undefined) return undefined;
  const prefix = length === undefined ? WIDTH[version] : Number(length);
  if (prefix > WIDTH[version]) return undefined;
  const behind = BigInt(WIDTH[version] - prefix);
  const bits = addressBits(address, version);
  return (bits >> behind) << behind === bits ? (`${address.toLowerCase()}/${prefix}` as Network) : undefined;
}

/** The shortest prefix that is accepted as a limit. Several shorter ones together could contain every address. */
const SHORTEST = { 4: 8, 6: 16 } as const;
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * Whether a network is too wide to be a limit, alone or with a few others. IPv4 addresses written as IPv6 (RFC 4291,
 * section 2.5.5.2) count as too wide: callers have plain IPv4 addresses.
 */
export function isTooWide(network: Network): boolean {
  const [base = '', prefix] = network.split('/');
  const version = isIP(base) as Version;
  return Number(prefix) < SHORTEST[version] || (version === 6 && MAPPED.check(base, 'ipv6'));
}

/** Whether an address belongs to one of the networks. False for malformed text. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const version = versionOf(address);
  if (version === undefined) return false;
  const list = new BlockList();
  for (const network of networks.filter((text) => parseNetwork(text) !== undefined)) {
    const [base = '', prefix] = network.split('/');
    list.addSubnet(base, Number(prefix), familyOf(isIP(base)));
  }
  return list.check(address, familyOf(version));
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 6 ? 'ipv6' : 'ipv4';
}

/** An IPv6 address with an embedded IPv4 address is not accepted: callers have plain IPv4 addresses. */
function versionOf(address: string): Version | undefined {
  const version = isIP(address);
  if (version === 4) return 4;
  return version === 6 && !/[.%]/.test(address) ? 6 : undefined;
}

/** Converts an address to a number. An IPv6 address must be written without dots. */
export function addressBits(address: string, version: Version): bigint {
  if (version === 4) return toNumber(address.split('.'), 10, 8n);
  const [left = '', right = ''] = address.split('::');
  const [first, last] = [left, right].map((side) => side.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ];
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return toNumber([...first, ...zeros, ...last], 16, 16n);
}

function toNumber(parts: readonly string[], radix: number, bits: bigint): bigint {
  return parts.reduce((number, part) => (number << bits) | BigInt(Number.parseInt(part, radix)), 0n);
}
