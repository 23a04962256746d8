import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isInNetworks, isNetworkTooWide, type Network, parseNetwork } from '../../../lib/domain/network.ts';

const networks = (...texts: string[]) => texts as Network[];

describe('a network', () => {
  test.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['fe80::/10', 'fe80::/10'],
  ])('%s is %s', (text, network) => {
    expect(parseNetwork(text)).toBe(network);
  });

  test.each([
    '',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/0',
    '2001:db8::/129',
    '10.0.0/8',
    '010.0.0.0/8',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0 /8',
    '10.0.0.1/8',
    '2001:db8::1/32',
    '2001:db8:8000::/32',
    '::ffff:10.0.0.0/104',
    'fe80::1%eth0',
    'example.com',
    'any',
    '10.0.0.0/8\n',
  ])('%j is none', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });

  test.each([
    ['0.0.0.0/1', true],
    ['128.0.0.0/1', true],
    ['10.0.0.0/7', true],
    ['10.0.0.0/8', false],
    ['203.0.113.7', false],
    ['::/1', true],
    ['8000::/1', true],
    ['2000::/15', true],
    ['2001::/16', false],
    ['::ffff:0:0/96', true],
    ['::ffff:a00:0/104', true],
    ['::ffff:a00:1', true],
    ['2001:db8::1', false],
  ])('%s is too wide to limit anything: %s', (text, wide) => {
    expect(isNetworkTooWide(parseNetwork(text) as Network)).toBe(wide);
  });

  test('no text makes it throw', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789abcdef:./') }));
    fc.assert(fc.property(text, (one) => void parseNetwork(one)));
  });
});

describe('an address', () => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
  const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
  const toNumber = (parts: readonly number[], bits: number) =>
    parts.reduce((sum, part) => (sum << BigInt(bits)) | BigInt(part), 0n);

  /** Checks the definition: an address is in the network if the first bits are equal. */
  function property(
    parts: fc.Arbitrary<readonly number[]>,
    bits: number,
    write: (parts: readonly number[]) => string,
  ) {
    const width = bits === 8 ? 32 : 128;
    return fc.property(
      parts,
      parts,
      fc.integer({ min: 1, max: width }),
      fc.boolean(),
      (one, other, prefix, near) => {
        const rest = BigInt(width - prefix);
        const cut = (toNumber(one, bits) >> rest) << rest;
        const base = Array.from({ length: width / bits }, (_, index) =>
          Number((cut >> BigInt(width - bits * (index + 1))) & BigInt(2 ** bits - 1)),
        );
        const network = parseNetwork(`${write(base)}/${prefix}`);
        const address = near ? one : other;
        expect(network).toBeDefined();
        const isIn = toNumber(address, bits) >> rest === cut >> rest;
        expect(isInNetworks(write(address), networks(network ?? ''))).toBe(isIn);
      },
    );
  }

  test('finds an IPv4 address in a network that has its first bits', () => {
    fc.assert(property(octets, 8, (parts) => parts.join('.')));
  });

  test('finds an IPv6 address in a network that has its first bits', () => {
    fc.assert(property(groups, 16, (parts) => parts.map((part) => part.toString(16)).join(':')));
  });

  test.each([
    ['10.1.2.3', ['2001:db8::/32', '10.0.0.0/8'], true],
    ['2001:db8::1', ['10.0.0.0/8'], false],
    ['10.1.2.3', [], false],
    ['not an address', ['10.0.0.0/8'], false],
    ['10.1.2.3', ['what a newer version wrote'], false],
  ])('matches the address %s with the networks %j', (address, list, isIn) => {
    expect(isInNetworks(address, networks(...list))).toBe(isIn);
  });
});
