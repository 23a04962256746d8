import type { PlatformContext } from '../server/platform-context.ts';
import type { StoreState } from '../state/state.ts';
import { scopesOf } from '../state/store-access.ts';
import type { GrantDesk } from './app-grants.ts';

/** Where an app asks for its access to a store, now. */
export function grantDeskOf(
  { grants, clock }: Pick<PlatformContext, 'grants' | 'clock'>,
  store: StoreState,
): GrantDesk {
  return { grants, store, scopes: scopesOf(store), nowMs: clock.now() };
}
