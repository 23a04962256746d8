import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  pageOriginOf,
  parseWebRedirectUri,
  type WebRedirectUri,
} from '../../../../lib/domain/sign-in/web-redirect-uri.ts';
import { findRedirectUri, isListedOrigin } from '../../../../lib/domain/sign-in/web-sign-in.ts';

const PUBLIC = { allowsLoopback: false };
const LOCAL = { allowsLoopback: true };

describe('parseWebRedirectUri', () => {
  test.each([
    'https://shop.example.com/account',
    'https://shop.example.com/',
    'https://shop.example.com/account/',
    'https://shop.example.com:8443/a/b_c~d-e.html',
    'https://xn--bcher-kva.example/konto',
  ])('accepts %s', (text) => {
    expect(parseWebRedirectUri(text, PUBLIC)).toBe(text);
  });

  test.each([
    ['plain http', 'http://shop.example.com/account'],
    ['another scheme', 'javascript://shop.example.com/account'],
    ['an app scheme', 'shop.81234567001.app://callback'],
    ['no scheme', '//shop.example.com/account'],
    ['no path', 'https://shop.example.com'],
    ['upper case in the host', 'https://Shop.example.com/account'],
    ['upper case in the scheme', 'HTTPS://shop.example.com/account'],
    ['the default port', 'https://shop.example.com:443/account'],
    ['a port with a zero first', 'https://shop.example.com:08443/account'],
    ['a port that is too large', 'https://shop.example.com:99999/account'],
    ['an empty port', 'https://shop.example.com:/account'],
    ['a dot at the end of the host', 'https://shop.example.com./account'],
    ['a user', 'https://shop.example.com@evil.example/account'],
    ['a user and a password', 'https://a:b@shop.example.com/account'],
    ['a query', 'https://shop.example.com/account?next=https://evil.example'],
    ['an empty query', 'https://shop.example.com/account?'],
    ['a fragment', 'https://shop.example.com/account#x'],
    ['an empty fragment', 'https://shop.example.com/account#'],
    ['a host in Unicode', 'https://bücher.example/konto'],
    ['a look-alike host', 'https://shop.exаmple.com/account'],
    ['a path in Unicode', 'https://shop.example.com/konto/ü'],
    ['a full-width dot', 'https://shop。example.com/account'],
    ['a step up', 'https://shop.example.com/account/../go'],
    ['an encoded step up', 'https://shop.example.com/account/%2e%2e/go'],
    ['an encoded slash', 'https://shop.example.com/account%2fgo'],
    ['a backslash', 'https://shop.example.com\\@evil.example/'],
    ['two slashes', 'https://shop.example.com//evil.example'],
    ['a step of one dot', 'https://shop.example.com/./account'],
    ['a space before it', ' https://shop.example.com/account'],
    ['a line end after it', 'https://shop.example.com/account\n'],
    ['a tab inside', 'https://shop.exa\tmple.com/account'],
    ['a list', 'https://shop.example.com/account,https://evil.example/'],
    ['a wildcard', 'https://*.example.com/account'],
    ['an IPv4 address', 'https://127.0.0.1/account'],
    ['an IPv4 address as one number', 'https://2130706433/account'],
    ['an IPv6 address', 'https://[::1]/account'],
    ['a host without a dot', 'https://localhost/account'],
    ['loopback', 'http://localhost:5173/account'],
    ['more than 255 characters', `https://shop.example.com/${'a'.repeat(231)}`],
    ['nothing', ''],
  ])('refuses %s', (_what, text) => {
    expect(parseWebRedirectUri(text, PUBLIC)).toBeUndefined();
  });

  test.each(['http://localhost:5173/account', 'http://127.0.0.1:5173/', 'http://localhost/'])(
    'accepts %s only for the local stack',
    (text) => {
      expect(parseWebRedirectUri(text, LOCAL)).toBe(text);
      expect(parseWebRedirectUri(text, PUBLIC)).toBeUndefined();
    },
  );

  test.each(['http://192.168.1.2:5173/', 'http://localhost.evil.example/', 'http://127.0.0.1:80/'])(
    'refuses %s for the local stack too',
    (text) => {
      expect(parseWebRedirectUri(text, LOCAL)).toBeUndefined();
    },
  );

  test('accepts only texts that a browser would not rewrite, of one origin', () => {
    const part = fc.constantFrom(...'https://shop.example.com:8443/account@?#%2e\\ÜA');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (tail) => {
        const text = `https://shop.example.com/${tail.join('')}`;
        const parsed = parseWebRedirectUri(text, PUBLIC);
        if (parsed === undefined) return;
        const { href, origin, search, hash, username } = new URL(parsed);
        expect([href, origin, search, hash, username]).toEqual([text, pageOriginOf(parsed), '', '', '']);
      }),
    );
  });
});

describe('the setting of a store', () => {
  const webSignIn = {
    clientId: 'web-1',
    revision: 1,
    redirectUris: ['https://shop.example.com/account', 'https://b.example:8443/'] as WebRedirectUri[],
  };

  test('finds a redirect URI only by its exact text', () => {
    expect(findRedirectUri(webSignIn, 'https://shop.example.com/account')).toBe(
      'https://shop.example.com/account',
    );
    const others = [
      '/',
      '/account/',
      '/account?x',
      '/account#',
      '/Account',
      '/accoun',
      '/account/../account',
    ];
    for (const path of others)
      expect(findRedirectUri(webSignIn, `https://shop.example.com${path}`)).toBeUndefined();
    expect(findRedirectUri(undefined, 'https://shop.example.com/account')).toBeUndefined();
  });

  test('lists the origins of its pages, and no similar one', () => {
    expect(isListedOrigin(webSignIn, 'https://shop.example.com')).toBe(true);
    expect(isListedOrigin(webSignIn, 'https://b.example:8443')).toBe(true);
    const others = ['http://shop.example.com', 'https://shop.example.com:8443', 'https://shop.example.com/'];
    others.push('https://b.example', 'https://evil.shop.example.com', 'https://SHOP.example.com', 'null', '');
    for (const origin of others) expect(isListedOrigin(webSignIn, origin)).toBe(false);
    expect(isListedOrigin(undefined, 'https://shop.example.com')).toBe(false);
  });
});
