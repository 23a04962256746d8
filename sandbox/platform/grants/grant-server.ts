/** Selects what the token endpoint of a store needs: its grants, the scopes that its merchant allows, and the time. */
import type { PlatformClock } from '../state/platform-clock.ts';
import type { StoreState } from '../state/state.ts';
import { listGrantedScopes } from '../state/store-access.ts';
import type { AppGrants, StoreGrants } from './app-grants.ts';

/** Returns the grants of a store for one request. */
export function selectStoreGrants(
  { grants, clock }: { readonly grants: AppGrants; readonly clock: PlatformClock },
  store: StoreState,
): StoreGrants {
  return { grants, store, scopes: listGrantedScopes(store), nowMs: clock.now() };
}
