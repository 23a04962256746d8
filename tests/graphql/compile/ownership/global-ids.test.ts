import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isMetafieldIdValue,
  rewriteTextReferences,
  toClientId,
  toPlatformId,
} from '../../../../graphql/compile/ownership/global-ids.ts';

const namespaces = { client: 'platform', platform: 'shopify' };
const tail = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}(\?[a-z_]+=[A-Za-z]+)?$/);
const type = fc.constantFrom('SubscriptionLine', 'MailingAddress', 'CustomerPaymentMethod');
const clientId = fc.tuple(type, tail).map(([name, rest]) => `gid://platform/${name}/${rest}`);

describe('ids between the namespaces', () => {
  test('there and back is the identity, the tail byte for byte', () => {
    fc.assert(
      fc.property(clientId, (id) => {
        const there = toPlatformId(id, namespaces);
        expect(there).toBe(id.replace('gid://platform/', 'gid://shopify/'));
        expect(toClientId(there, namespaces)).toBe(id);
      }),
    );
  });

  test('what is no id of the platform comes through as it is', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        fc.pre(!(typeof value === 'string' && value.startsWith('gid://shopify/')));
        expect(toClientId(value, namespaces)).toBe(value);
      }),
    );
  });

  test.each([
    '123',
    'gid://shopify/Customer/1',
    'gid://platform/Customer/0',
    'gid://platform/Customer/01',
    'gid://platform/SubscriptionContract/1?x=y',
    'gid://platform/customer/1',
    ' gid://platform/Customer/1',
    '',
  ])('a client may not send %j', (text) => {
    expect(toPlatformId(text, namespaces)).toBeUndefined();
  });

  test('a list of references as text is rewritten item by item', () => {
    const rewrite = (id: unknown) => toClientId(id, namespaces);
    const list = '["gid://shopify/Product/1","gid://shopify/Product/2"]';
    expect(rewriteTextReferences(list, rewrite)).toBe(
      '["gid://platform/Product/1","gid://platform/Product/2"]',
    );
  });

  test.each([
    ['gid://platform/Product/1', true],
    ['["gid://platform/Product/1"]', true],
    ['see gid://platform/Product/1', false],
    ['["gid://platform/Product/1", 2]', false],
    ['[]', false],
    ['gid://shopify/Product/1', false],
  ])('a metafield value without a type, %j, holds ids: %s', (value, expected) => {
    expect(isMetafieldIdValue(value, namespaces)).toBe(expected);
  });
});
