import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatGid, parseCustomerGid, parseGid, withNamespace } from '../../../lib/domain/gid.ts';

describe('parseGid', () => {
  test.each([
    '',
    'gid://platform/Customer/',
    'gid://platform/Customer/0',
    'gid://platform/Customer/01',
    'gid://platform/Customer/9007199254740992',
    'gid://platform/Customer/1?x=1',
    'gid://platform/SubscriptionContract/01',
    'gid://platform/SubscriptionContract/1?x=1',
    'gid://platform/Order/abc',
    'gid://platform//1',
    'gid:///Customer/1',
    'gid://platform/Customer/1/2',
    'gid://platform/SubscriptionLine/a b',
    'GID://platform/Customer/1',
    ' gid://platform/Customer/1',
    'gid://platform/Customer/1\n',
    `gid://platform/SubscriptionLine/${'a'.repeat(600)}`,
  ])('refuses %j', (text) => {
    expect(parseGid(text)).toBeUndefined();
  });

  test('keeps an opaque tail byte for byte', () => {
    expect(parseGid('gid://shopify/MailingAddress/624407574?model_name=CustomerAddress')).toEqual({
      namespace: 'shopify',
      type: 'MailingAddress',
      tail: '624407574?model_name=CustomerAddress',
    });
  });

  test('moving to another namespace and back is the identity', () => {
    const tail = fc.stringMatching(/^[\w?=&.%-]{1,60}$/);
    const type = fc.constantFrom('SubscriptionLine', 'MailingAddress', 'CustomerPaymentMethod', 'App');
    fc.assert(
      fc.property(type, tail, (type, tail) => {
        const gid = { namespace: 'platform', type, tail };
        const there = parseGid(formatGid(withNamespace(gid, 'shopify')));
        expect(there).toEqual({ ...gid, namespace: 'shopify' });
        expect(there && withNamespace(there, 'platform')).toEqual(gid);
      }),
    );
  });
});

describe('parseCustomerGid', () => {
  test('refuses another type and another namespace', () => {
    expect(parseCustomerGid('gid://platform/Order/1', 'platform')).toBeUndefined();
    expect(parseCustomerGid('gid://shopify/Customer/1', 'platform')).toBeUndefined();
  });

  test('gives the number', () => {
    expect(parseCustomerGid('gid://platform/Customer/7001001', 'platform')).toBe(7001001);
  });
});
