/** Checks whether the store has the storefront token that apps ask for; a doctor makes none. */
import type { StoreRecord } from '../../storage/stores.ts';
import type { StoreFinding } from './store-finding.ts';

const NAME = 'Storefront token';

/** The finding, from what is kept of the store. */
export function checkStorefrontToken({
  storefrontAccessToken,
  storefrontRefusal,
}: StoreRecord): StoreFinding {
  if (storefrontAccessToken) return { name: NAME, state: 'ok', found: 'made' };
  if (storefrontRefusal === undefined)
    return { name: NAME, state: 'unseen', found: 'none yet: it is made when an app first asks for it' };
  const { atMs, reason } = storefrontRefusal;
  const at = new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
  return {
    name: NAME,
    state: 'optional',
    found: `none, so apps do without the public catalogue. The platform said at ${at} UTC: ${reason}`,
    mend: 'Enable access to the Storefront API for the app at the platform. Apps that ask are given one from a quarter of an hour later on.',
  };
}
