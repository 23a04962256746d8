/**
 * The values that the service never pins from a store's discovery document, and those that need the operator's
 * confirmation.
 */
import { describe, expect, test } from '@jest/globals';
import type { ShopDomain } from '../../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { RawPlatformResponse } from '../../../lib/platform/send-request.ts';
import { discoverSignInAddresses } from '../../../lib/platform/sign-in/discover-sign-in.ts';
import type { SignInAddresses } from '../../../lib/storage/stores.ts';
import { listMovedAddresses, readSignInAddresses } from '../../../lib/stores/read-sign-in-addresses.ts';

const shopId = 81_234_567_001 as ShopId;
const domain = 'harbor-coffee.myshopify.com' as ShopDomain;
const ISSUER = `https://accounts.example/authentication/${shopId}`;
const GOOD: SignInAddresses = {
  issuer: ISSUER,
  authorizationEndpoint: `${ISSUER}/oauth/authorize`,
  tokenEndpoint: `${ISSUER}/oauth/token`,
  jwksUri: `${ISSUER}/.well-known/jwks.json`,
  endSessionEndpoint: `${ISSUER}/logout`,
  customerApiUrl: `https://accounts.example/${shopId}/account/customer/api/graphql`,
};
const NAMES = Object.keys(GOOD) as (keyof SignInAddresses)[];

type Overrides = { platformOrigin?: string; trustedIssuer?: string; pinned?: SignInAddresses };

/** Reads the addresses of a store whose platform serves `found` in its two documents. */
function read(found: SignInAddresses, { platformOrigin = 'https://{shop}', ...more }: Overrides = {}) {
  const json = (body: unknown): RawPlatformResponse => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const send = async ({ url }: { url: string }) =>
    url.endsWith('customer-account-api')
      ? json({ graphql_api: found.customerApiUrl })
      : json({
          issuer: found.issuer,
          authorization_endpoint: found.authorizationEndpoint,
          token_endpoint: found.tokenEndpoint,
          jwks_uri: found.jwksUri,
          end_session_endpoint: found.endSessionEndpoint,
        });
  const discover = (of: ShopDomain) => discoverSignInAddresses({ send, platformOrigin }, of);
  return readSignInAddresses({ discoverSignIn: discover }, { shopId, domain, ...more });
}

test('addresses of the platform that name the shop are taken as they are', async () => {
  expect(await read(GOOD)).toEqual(GOOD);
  const ownDomain = { ...GOOD, customerApiUrl: `https://${domain}/customer/api/graphql` };
  expect(await read(ownDomain)).toEqual(ownDomain);
});

describe.each(NAMES)('%s', (name) => {
  test.each([
    ['http', `http://accounts.example/${shopId}`],
    ['another protocol', `javascript:alert(${shopId})`],
    ['a file', `file:///etc/${shopId}`],
    ['user info', `https://accounts.example@evil.example/${shopId}`],
    ['a password', `https://user:word@accounts.example/${shopId}`],
    ['a port', `https://accounts.example:8443/${shopId}`],
    ['a fragment', `https://accounts.example/${shopId}#x`],
    ['an empty fragment', `https://accounts.example/${shopId}#`],
    ['this machine', `https://localhost/${shopId}`],
    ['loopback', `https://127.0.0.1/${shopId}`],
    ['loopback, spelt otherwise', `https://0x7f.1/${shopId}`],
    ['loopback as a number', `https://2130706433/${shopId}`],
    ['a private address', `https://10.0.0.8/${shopId}`],
    ['the metadata of an instance', `https://169.254.169.254/${shopId}`],
    ['an address of version 6', `https://[fd00::1]/${shopId}`],
    ['a mapped address', `https://[::ffff:127.0.0.1]/${shopId}`],
    ['a public address without a name', `https://8.8.8.8/${shopId}`],
    ['a name of an inner network', `https://metadata.google.internal/${shopId}`],
    ['a name without a dot', `https://intranet/${shopId}`],
    ['a dot at the end', `https://accounts.example./${shopId}`],
    ['backslashes', `https:\\\\accounts.example\\${shopId}`],
    ['a space', ` https://accounts.example/${shopId}`],
    ['a line break', `https://accounts.example/\n${shopId}`],
    ['letters of another alphabet', `https://аccounts.example/${shopId}`],
    ['nothing', ''],
  ])('with %s is refused, whatever the operator says', async (_what, address) => {
    const found = { ...GOOD, [name]: address };
    await expect(read(found, { trustedIssuer: found.issuer })).rejects.toThrow();
    // Not even where everything is on this machine, but for what is there.
    const local = { platformOrigin: 'http://127.0.0.1:3001/{shop}', trustedIssuer: found.issuer };
    if (/^https:\/\/(localhost|127|0x7f|2130706433)/.test(address)) return;
    await expect(read(found, local)).rejects.toThrow();
  });

  test.each([
    ['another host', `https://evil.example/authentication/${shopId}`],
    ['another host, beside the right one', `https://accounts.example.evil.example/${shopId}`],
    ['a name in another alphabet, encoded', `https://xn--ccounts-2fg.example/authentication/${shopId}`],
  ])('refuses %s unless the operator trusts the issuer, and names the option', async (_what, address) => {
    const found = { ...GOOD, [name]: address };
    // An issuer elsewhere that names the shop may be the platform's own move, if all is with it; here nothing is.
    await expect(read(found)).rejects.toThrow(`--trust-issuer ${found.issuer}`);
    expect(await read(found, { trustedIssuer: found.issuer })).toEqual(found);
    await expect(read(found, { trustedIssuer: 'https://accounts.example' })).rejects.toThrow(
      '--trust-issuer',
    );
  });
});

describe('an issuer that does not name the shop', () => {
  const otherHost = (issuer: string): SignInAddresses => ({
    ...GOOD,
    issuer,
    ...Object.fromEntries(
      ['authorizationEndpoint', 'tokenEndpoint', 'jwksUri', 'endSessionEndpoint', 'customerApiUrl'].map(
        (name) => [name, `${issuer}/${name}`],
      ),
    ),
  });

  test.each([
    ['another shop’s', `https://accounts.example/authentication/${shopId + 1}`],
    ['one that begins as this shop’s', `https://accounts.example/authentication/${shopId}1`],
    ['one with the shop in its query alone', `https://accounts.example/?shop=${shopId}`],
    ['the merchant’s own domain', 'https://account.harbor.example'],
  ])('refuses the issuer %s unless the operator trusts it', async (_what, issuer) => {
    const found = otherHost(issuer);
    await expect(read(found)).rejects.toThrow(`does not name the shop id ${shopId}`);
    await expect(read(found)).rejects.toThrow(`--trust-issuer ${issuer}`);
    expect(await read(found, { trustedIssuer: issuer })).toEqual(found);
  });

  test('accepts a pinned issuer without the option, and trusts no new address for it', async () => {
    const pinned = otherHost('https://account.harbor.example');
    const moved = { ...pinned, tokenEndpoint: 'https://account.harbor.example/new/token' };
    expect(await read(moved, { pinned })).toEqual(moved);
    const worse = { ...pinned, tokenEndpoint: 'https://evil.example/token' };
    await expect(read(worse, { pinned })).rejects.toThrow('evil.example');
  });
});

test('plain http is for a platform on this machine alone, and for its addresses there', async () => {
  const local = Object.fromEntries(
    Object.entries(GOOD).map(([name, address]) => [
      name,
      address.replace('https://accounts.example', 'http://127.0.0.1:3001'),
    ]),
  ) as SignInAddresses;
  expect(await read(local, { platformOrigin: 'http://127.0.0.1:3001/{shop}' })).toEqual(local);
  await expect(read(local)).rejects.toThrow();
  await expect(read(local, { platformOrigin: 'http://platform.example/{shop}' })).rejects.toThrow();
});

test('another version of the API is no other address', () => {
  const at = (customerApiUrl: string) => ({ ...GOOD, customerApiUrl });
  const versioned = (version: string) => at(`https://${domain}/customer/api/${version}/graphql`);
  expect(listMovedAddresses(versioned('2026-07'), versioned('2026-10'))).toEqual([]);
  const otherHost = at('https://other.example/customer/api/2026-07/graphql');
  expect(listMovedAddresses(versioned('2026-07'), otherHost)).toMatchObject([{ name: 'customerApiUrl' }]);
});
