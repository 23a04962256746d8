import { expect, test } from '@jest/globals';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { storedTokenFinding } from '../../../../lib/stores/checks/check-storefront-token.ts';

const store = (facts: object) => ({ domain: 'harbor.myshopify.com', ...facts }) as StoreRecord;
const refusal = (reason: string, isTransient?: boolean) => ({
  storefrontRefusal: { atMs: Date.parse('2026-11-22T07:00:30Z'), reason, isPassing: isTransient },
});
const NOW = 'store update harbor.myshopify.com --storefront-token';

test.each([
  ['none yet', {}, { state: 'unseen', found: expect.stringContaining(NOW) }],
  ['one', { storefrontAccessToken: 'token' }, { state: 'ok', found: 'created' }],
  [
    'none, because the platform makes none',
    refusal('Access denied.'),
    {
      state: 'optional',
      found: expect.stringMatching(/2026-11-22 07:00 UTC: Access denied\./),
      fix: expect.stringMatching(new RegExp(`Storefront API.*${NOW}`)),
    },
  ],
  [
    'none, because the grant has ended',
    refusal('STORE_DISCONNECTED', false),
    { state: 'optional', fix: expect.stringContaining('new grant') },
  ],
  [
    'none, because the platform was down',
    refusal('PLATFORM_UNAVAILABLE', true),
    { state: 'optional', fix: expect.stringMatching(/^The scheduled work tries again/) },
  ],
])('reports the storefront token of a store with %s', (_what, facts, finding) => {
  expect(storedTokenFinding(store(facts))).toMatchObject({ name: 'Storefront token', ...finding });
});
