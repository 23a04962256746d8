import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { storedTokenFinding } from '../../../lib/stores/checks/check-storefront-token.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import { ensureStorefrontToken } from '../../../lib/stores/lifecycle/ensure-storefront-token.ts';
import type { Operator } from '../../operator.ts';

/** An operator waits so long for it; what is left is the scheduled work's. */
const MAX_TOKEN_WAIT_MS = 20_000;

/** Makes the store's storefront token where it has none that works; the finding where it has none afterwards. */
export async function createTokenIfMissing(operator: Operator, store: StoreRecord): Promise<StoreFinding[]> {
  operator.progress('Creating the storefront token');
  const result = await ensureStorefrontToken(operator, store, operator.now() + MAX_TOKEN_WAIT_MS);
  if (result === 'good' || result === 'made') return [];
  return [storedTokenFinding((await operator.stores.find(store.shopId)) ?? store)];
}
