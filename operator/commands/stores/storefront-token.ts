import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { storedTokenFinding } from '../../../lib/stores/checks/check-storefront-token.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import { ensureStorefrontToken } from '../../../lib/stores/lifecycle/ensure-storefront-token.ts';
import type { Operator } from '../../operator.ts';

/** The longest time that an operator waits for the token. The scheduled work creates a token that takes longer. */
const MAX_TOKEN_WAIT_MS = 20_000;

/**
 * Creates the store's storefront token when it has no valid one.
 * @returns the finding when the store has no valid token afterwards
 */
export async function createTokenIfMissing(operator: Operator, store: StoreRecord): Promise<StoreFinding[]> {
  operator.progress('Creating the storefront token');
  const tokenOutcome = await ensureStorefrontToken(operator, store, operator.now() + MAX_TOKEN_WAIT_MS);
  if (tokenOutcome === 'good' || tokenOutcome === 'made') return [];
  return [storedTokenFinding((await operator.stores.find(store.shopId)) ?? store)];
}
