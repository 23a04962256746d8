import type { GrantDesk } from '../grants/app-grants.ts';
import type { StoreState } from '../state/state.ts';
import { scopesOf } from '../state/store-access.ts';
import type { PlatformContext } from './platform-context.ts';

/** Where an app asks for its access to a store, now. */
export function grantDeskOf(
  { grants, clock }: Pick<PlatformContext, 'grants' | 'clock'>,
  store: StoreState,
): GrantDesk {
  return { grants, store, scopes: scopesOf(store), nowMs: clock.now() };
}
