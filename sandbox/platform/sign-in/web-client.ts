/**
 * A store's second client of the customers' sign-in: the one of its web pages. It exists once a merchant has registered
 * a callback. Each callback's origin is registered, too (the platform's "JavaScript origins").
 */
import { hashId } from '../state/opaque-id.ts';
import type { StoreState } from '../state/state.ts';

/** Returns the client id of web pages. It is derived from the domain, so it survives a reset. */
export function webClientIdOfStore({ shop }: Pick<StoreState, 'shop'>): string {
  return hashId(`${shop}/web-client`);
}

/** Whether the token endpoint serves the client: that of web pages only with the Origin header of a registered page. */
export function isOriginAccepted(
  store: StoreState,
  clientId: string | null,
  origin: string | undefined,
): boolean {
  if (clientId !== webClientIdOfStore(store)) return true;
  return store.webRedirectUris?.some((uri) => new URL(uri).origin === origin) ?? false;
}
