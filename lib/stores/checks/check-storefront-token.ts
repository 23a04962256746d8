/** Checks whether the store has the storefront token that apps ask for; a doctor makes none. */
import type { StoreRecord } from '../../storage/stores.ts';
import type { StoreFinding } from './store-finding.ts';

const NAME = 'Storefront token';
const BY_ITSELF = 'The scheduled work asks again within a day';

/** The finding, from what is kept of the store. */
export function checkStorefrontToken(store: StoreRecord): StoreFinding {
  const { storefrontAccessToken, storefrontRefusal, domain } = store;
  if (storefrontAccessToken) return { name: NAME, state: 'ok', found: 'made' };
  const now = `store update ${domain} --storefront-token asks at once`;
  if (storefrontRefusal === undefined)
    return {
      name: NAME,
      state: 'unseen',
      found: `none yet: the scheduled work makes it within a day; ${now}`,
    };
  const { atMs, reason, isPassing = false } = storefrontRefusal;
  const at = new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
  const remedy = isPassing ? '' : `${remedyOf(reason)} `;
  return {
    name: NAME,
    state: 'optional',
    found: `none, so apps do without the public catalogue. The platform said at ${at} UTC: ${reason}`,
    mend: `${remedy}${BY_ITSELF}; ${now}.`,
  };
}

function remedyOf(reason: string): string {
  if (reason === 'STORE_DISCONNECTED') return 'Give the store a new grant: see Grant.';
  return "Enable access to the Storefront API for the app at the platform; if it says that there are too many tokens, delete some of the app's.";
}
