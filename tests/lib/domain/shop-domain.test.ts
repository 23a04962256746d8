import { describe, expect, test } from '@jest/globals';
import { parseShopDomain } from '../../../lib/domain/shop-domain.ts';

const SUFFIXES = ['.myshopify.com'];

const HOSTILE = [
  '',
  ' ',
  'myshopify.com',
  '.myshopify.com',
  '-a.myshopify.com',
  'a-.myshopify.com',
  'a.b.myshopify.com',
  'a..myshopify.com',
  'a_b.myshopify.com',
  'a.myshopify.com.',
  'a.myshopify.com.evil.example',
  'a.myshopify.comevil',
  'evil.example/a.myshopify.com',
  'evil.example#a.myshopify.com',
  'evil.example?a.myshopify.com',
  'user@a.myshopify.com',
  'user:pass@a.myshopify.com',
  'a.myshopify.com:443',
  'a.myshopify.com/',
  'a.myshopify.com/admin',
  'a.myshopify.com#',
  'a.myshopify.com?x=1',
  'https://a.myshopify.com',
  '//a.myshopify.com',
  'a\\.myshopify.com',
  'a.myshopify.com\r\nHost: evil.example',
  'a\n.myshopify.com',
  'a%2emyshopify.com',
  'a%00.myshopify.com',
  'a\u0000.myshopify.com',
  'ä.myshopify.com',
  'ａ.myshopify.com',
  'a。myshopify.com',
  'a.myshopify.com\u200b',
  '127.0.0.1',
  '0x7f000001',
  '2130706433',
  '[::1]',
  '[::ffff:127.0.0.1].myshopify.com',
  '169.254.169.254',
  'localhost',
  '../a.myshopify.com',
  '..%2fa.myshopify.com',
  'a.myshopify.com;evil.example',
  'a.myshopify.com,b.myshopify.com',
  'a.myshopify.com b.myshopify.com',
  '{shop}.myshopify.com',
  `${'a'.repeat(80)}.myshopify.com`,
  'a.myshopify.co',
  'amyshopify.com',
];

describe('parseShopDomain', () => {
  test.each(HOSTILE)('refuses %j', (text) => {
    expect(parseShopDomain(text, SUFFIXES)).toBeUndefined();
  });

  test('takes a domain of the configured form, in lower case', () => {
    expect(parseShopDomain('Harbor-Coffee.MyShopify.com', SUFFIXES)).toBe('harbor-coffee.myshopify.com');
    expect(parseShopDomain('a.myshopify.com', SUFFIXES)).toBe('a.myshopify.com');
  });

  test('takes any of several suffixes, and none that is not configured', () => {
    expect(parseShopDomain('tea.shops.example', ['.myshopify.com', '.shops.example'])).toBe(
      'tea.shops.example',
    );
    expect(parseShopDomain('tea.myshopify.com', ['.shops.example'])).toBeUndefined();
  });
});
