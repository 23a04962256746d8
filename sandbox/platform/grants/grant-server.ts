/** A grant desk is where an app asks for its access to a store. */
import type { PlatformClock } from '../state/platform-clock.ts';
import type { StoreState } from '../state/state.ts';
import { scopesOf } from '../state/store-access.ts';
import type { AppGrants, GrantServer } from './app-grants.ts';

/** The desk of a store as it is now. */
export function grantServerOf(
  { grants, clock }: { readonly grants: AppGrants; readonly clock: PlatformClock },
  store: StoreState,
): GrantServer {
  return { grants, store, scopes: scopesOf(store), nowMs: clock.now() };
}
