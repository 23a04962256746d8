import { expect, test } from '@jest/globals';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { checkStorefrontToken } from '../../../../lib/stores/checks/check-storefront-token.ts';

const store = (facts: Partial<StoreRecord>) => facts as StoreRecord;
const storefrontRefusal = { atMs: Date.parse('2026-11-22T07:00:30Z'), reason: 'Access denied.' };

test.each([
  ['none yet', {}, { state: 'unseen' }],
  ['one', { storefrontAccessToken: 'token' }, { state: 'ok', found: 'made' }],
  [
    'none, because the platform makes none',
    { storefrontRefusal },
    {
      state: 'optional',
      found: expect.stringMatching(/2026-11-22 07:00 UTC: Access denied\./),
      mend: expect.stringContaining('Storefront API'),
    },
  ],
])('a store with %s', (_what, facts, finding) => {
  expect(checkStorefrontToken(store(facts))).toMatchObject({ name: 'Storefront token', ...finding });
});
