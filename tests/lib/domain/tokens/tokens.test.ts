import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import type { SessionId, SessionSalt } from '../../../../lib/domain/session-id.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { accessTokenFormat } from '../../../../lib/domain/tokens/access-token.ts';
import type { KeyId } from '../../../../lib/domain/tokens/key-id.ts';
import { nonceFormat } from '../../../../lib/domain/tokens/nonce.ts';
import { refreshTokenFormat } from '../../../../lib/domain/tokens/refresh-token.ts';
import {
  decodeSessionClaims,
  encodeSessionClaims,
  type SessionClaims,
  sessionTokenBodyLengths,
} from '../../../../lib/domain/tokens/session-claims.ts';
import { createTokenFormat, type TokenMacKey } from '../../../../lib/domain/tokens/token-format.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const base64url = (length: number) => bytes(length).map((raw) => Buffer.from(raw).toString('base64url'));
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const claims: fc.Arbitrary<SessionClaims> = fc.record({
  shopId: id.map((value) => value as ShopId),
  customerId: id.map((value) => value as CustomerId),
  sessionId: base64url(16).map((value) => value as SessionId),
  salt: base64url(8).map((value) => value as SessionSalt),
  generation: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  handOut: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2 ** 32 - 1 })),
});
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const key: fc.Arbitrary<TokenMacKey> = fc.record({
  kid: fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/).map((value) => value as KeyId),
  macKey: bytes(32),
});

describe('tokens', () => {
  test('an altered bit anywhere is refused', () => {
    fc.assert(
      fc.property(claims, key, fc.nat(), fc.nat(7), (value, macKey, where, bit) => {
        const text = refreshTokenFormat.encode(value, macKey);
        const raw = Buffer.from(text.slice('SVC_RT_'.length), 'base64url');
        const at = where % raw.length;
        raw.writeUInt8(raw.readUInt8(at) ^ (1 << bit), at);
        const altered = refreshTokenFormat.parse(`SVC_RT_${raw.toString('base64url')}`);
        expect(altered?.verify(macKey)).toBeUndefined();
      }),
    );
  });

  test('no other text of the same token passes', () => {
    fc.assert(
      fc.property(
        claims,
        key,
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        (value, macKey, at, extra) => {
          const text = refreshTokenFormat.encode(value, macKey);
          const where = at % (text.length + 1);
          const longer = text.slice(0, where) + extra + text.slice(where);
          expect(refreshTokenFormat.parse(longer)?.verify(macKey)).toBeUndefined();
          const shorter = text.slice(0, -1 - (at % text.length));
          expect(refreshTokenFormat.parse(shorter)?.verify(macKey)).toBeUndefined();
          expect(refreshTokenFormat.parse(`${text}=`)).toBeUndefined();
        },
      ),
    );
  });

  test('spare bits of the last character are refused', () => {
    const value = { ...sample(), salt: 'AAAAAAAAAAA' as SessionSalt };
    for (const kid of ['0', '00', '000']) {
      const text = refreshTokenFormat.encode(value, { kid: kid as KeyId, macKey: Buffer.alloc(32) });
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const accepted = [...alphabet].filter((last) => {
        const parsed = refreshTokenFormat.parse(text.slice(0, -1) + last);
        return parsed?.verify({ kid: kid as KeyId, macKey: Buffer.alloc(32) }) !== undefined;
      });
      expect(accepted).toEqual([text.at(-1)]);
    }
  });

  test('a kind does not pass for another, whatever its prefix', () => {
    fc.assert(
      fc.property(claims, time, key, (value, expiresAtMs, macKey) => {
        const access = accessTokenFormat.encode({ ...value, expiresAtMs }, macKey).slice('SVC_CT_'.length);
        const refresh = refreshTokenFormat.encode(value, macKey).slice('SVC_RT_'.length);
        expect(refreshTokenFormat.parse(`SVC_RT_${access}`)?.verify(macKey)).toBeUndefined();
        expect(accessTokenFormat.parse(`SVC_CT_${refresh}`)?.verify(macKey)).toBeUndefined();
        expect(accessTokenFormat.parse(`SVC_RT_${refresh}`)).toBeUndefined();
        expect(nonceFormat.parse(refresh)).toBeUndefined();
      }),
    );
  });

  test('the same body of the same length does not pass for another kind', () => {
    // A refresh token and a nonce of the same form differ only in the kind inside the MAC.
    const macKey = { kid: '0' as KeyId, macKey: Buffer.alloc(32, 7) };
    const text = refreshTokenFormat.encode(sample(), macKey).slice('SVC_RT_'.length);
    expect(refreshTokenFormat.parse(`SVC_RT_${text}`)?.verify(macKey)).toBeDefined();
    expect(refreshTokenFormat.parse(`SVC_RT_${text}`)?.verify(macKey, Buffer.from('x'))).toBeUndefined();
  });

  test('another key is refused, also one of the same id', () => {
    fc.assert(
      fc.property(claims, key, bytes(32), (value, macKey, other) => {
        fc.pre(!Buffer.from(other).equals(Buffer.from(macKey.macKey)));
        const parsed = refreshTokenFormat.parse(refreshTokenFormat.encode(value, macKey));
        expect(parsed?.verify({ ...macKey, macKey: other })).toBeUndefined();
      }),
    );
  });

  test('reads what was written', () => {
    fc.assert(
      fc.property(claims, time, key, (value, expiresAtMs, macKey) => {
        const text = accessTokenFormat.encode({ ...value, expiresAtMs }, macKey);
        expect(text).toMatch(/^SVC_CT_[A-Za-z0-9_-]+$/);
        const parsed = accessTokenFormat.parse(text);
        expect(parsed?.kid).toBe(macKey.kid);
        expect(parsed?.verify(macKey)).toEqual({ ...value, expiresAtMs });
      }),
    );
  });

  test('reads a token without an issue number as one of the first issue, with the same text', () => {
    const macKey = { kid: '0' as KeyId, macKey: Buffer.alloc(32, 7) };
    const refresh =
      'SVC_RT_AQEwAAAAEun1H1kAAAAAAGrTqQEBAQEBAQEBAQEBAQEBAQECAgICAgICAgAAAAFZfuSfG-gwdMTDo7hX9Tyg';
    const access =
      'SVC_CT_AQEwAAAAEun1H1kAAAAAAGrTqQEBAQEBAQEBAQEBAQEBAQECAgICAgICAgAAAAEBoxhcUADjjNRFuPGjlUyvAHuHufBW';
    expect(refreshTokenFormat.parse(refresh)?.verify(macKey)).toEqual(sample());
    expect(refreshTokenFormat.encode(sample(), macKey)).toBe(refresh);
    const expiresAtMs = 1_800_000_000_000;
    expect(accessTokenFormat.parse(access)?.verify(macKey)).toEqual({ ...sample(), expiresAtMs });
    expect(accessTokenFormat.encode({ ...sample(), expiresAtMs }, macKey)).toBe(access);
  });

  test('refuses a token that writes the first issue number out, because it would have two texts', () => {
    const macKey = { kid: '0' as KeyId, macKey: Buffer.alloc(32, 7) };
    const lax = createTokenFormat<SessionClaims>({
      kind: 'refresh',
      prefix: 'SVC_RT_',
      bodyLengths: sessionTokenBodyLengths(0),
      encodeBody: (value) => Buffer.concat([encodeSessionClaims(value, 0), Buffer.alloc(4)]),
      decodeBody: (body) => decodeSessionClaims(body, 0),
    });
    expect(refreshTokenFormat.parse(lax.encode(sample(), macKey))?.verify(macKey)).toBeUndefined();
  });

  test('verifies a nonce with its own verifier only', () => {
    fc.assert(
      fc.property(
        bytes(16),
        id,
        time,
        key,
        bytes(32),
        bytes(32),
        (random, shop, startedAtMs, macKey, ownSecret, other) => {
          fc.pre(!Buffer.from(ownSecret).equals(Buffer.from(other)));
          const shopId = shop as ShopId;
          const parsed = nonceFormat.parse(
            nonceFormat.encode({ random, startedAtMs, shopId }, macKey, ownSecret),
          );
          expect(parsed?.verify(macKey, ownSecret)).toMatchObject({ startedAtMs, shopId });
          expect(parsed?.verify(macKey, other)).toBeUndefined();
          expect(parsed?.verify(macKey)).toBeUndefined();
        },
      ),
    );
  });

  test('junk is no token', () => {
    fc.assert(
      fc.property(fc.string(), (junk) => {
        expect(accessTokenFormat.parse(junk)).toBeUndefined();
        expect(refreshTokenFormat.parse(`SVC_RT_${junk}`)).toBeUndefined();
      }),
    );
  });
});

function sample(): SessionClaims {
  return {
    shopId: 81234567001 as ShopId,
    customerId: 7001001 as CustomerId,
    sessionId: Buffer.alloc(16, 1).toString('base64url') as SessionId,
    salt: Buffer.alloc(8, 2).toString('base64url') as SessionSalt,
    generation: 1,
    handOut: 0,
  };
}
