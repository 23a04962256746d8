/** A grant desk is where an app asks for its access to a store. */
import type { PlatformClock } from '../state/platform-clock.ts';
import type { StoreState } from '../state/state.ts';
import { listGrantedScopes } from '../state/store-access.ts';
import type { AppGrants, StoreGrants } from './app-grants.ts';

/** The desk of a store as it is now. */
export function openStoreGrants(
  { grants, clock }: { readonly grants: AppGrants; readonly clock: PlatformClock },
  store: StoreState,
): StoreGrants {
  return { grants, store, scopes: listGrantedScopes(store), nowMs: clock.now() };
}
