/**
 * The invalid requests of a flood: those of an attacker who knows the documentation and has signed in once. Each form
 * of a refresh token is included, because the service has to verify whatever looks like a token.
 */
import type { Sent } from './flood-world.ts';

export type Junk = Omit<Sent, 'address'>;
/** One's own sign-in, of which junk is made. */
export type Own = {
  readonly shop: string;
  readonly customerId: number;
  readonly refreshToken: string;
  readonly accessToken: string;
};

const json = { 'content-type': 'application/json' };

/** All at the door that customers need most. */
export function junkAtOneDoor(own: Own, index: number): Junk {
  const tokens = ['SVC_RT_junk', withAnotherMac(own.refreshToken), withUnknownKey(own.refreshToken, index)];
  return refreshOf(own, tokens[index % tokens.length] ?? '');
}

/** Spread over all doors. No door gets more than its throttle lets through, but for that of sign-ins. */
export function junkAtAllDoors(own: Own, index: number): Junk {
  const all = [
    refreshOf(own, withAnotherMac(own.refreshToken)),
    // It costs most where the store is one: a write.
    { method: 'POST', path: '/headless-auth/start', headers: json, body: JSON.stringify({ shop: own.shop }) },
    {
      ...{ method: 'POST', path: '/api/storefront/unstable/graphql.json', body: '{"query":"{ x }"}' },
      headers: { ...json, authorization: `Bearer ${withAnotherMac(own.accessToken)}` },
    },
    { method: 'OPTIONS', path: '/headless-auth/refresh', body: '' },
    { method: 'GET', path: '/nowhere', body: '' },
  ];
  return all[index % all.length] as Junk;
}

function refreshOf({ shop, customerId }: Own, refreshToken: string): Junk {
  const body = JSON.stringify({ shop, customerId, refreshToken });
  return { method: 'POST', path: '/headless-auth/refresh', headers: json, body };
}

function withAnotherMac(token: string): string {
  return rewritten(token, (bytes) =>
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1),
  );
}

/** Replaces the key's id, which follows version and length; the ring's first key has an id of one character. */
function withUnknownKey(token: string, index: number): string {
  return rewritten(token, (bytes) => bytes.write('abcdefgh'.charAt(index % 8), 2, 'latin1'));
}

function rewritten(token: string, change: (bytes: Buffer) => void): string {
  const [prefix = ''] = /^SVC_[RC]T_/.exec(token) ?? [];
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  change(bytes);
  return prefix + bytes.toString('base64url');
}
