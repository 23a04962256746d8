import { isPageOrigin } from '../../config/browser-origin.ts';
import { listsOrigin, type WebSignIn } from '../../domain/sign-in/web-sign-in.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Exchange, Step } from '../exchange.ts';
import { allowOrigin } from './allow-origins.ts';

/** The part of a store's record that decides. A store that is not installed has no pages. */
type CalledStore = { readonly status: string; readonly webSignIn?: WebSignIn | undefined };

type StorePages<More> = {
  /** The configured origins, which may call for every store. */
  readonly origins: readonly string[];
  /** Reads the store that the request names. Undefined when the request names none, and so is refused later. */
  readonly findStore: (exchange: Exchange & More) => Promise<CalledStore | undefined>;
};

/**
 * Lets the pages of a store call for this store, and refuses all other pages before the request has an effect
 * (`allowOrigins` has accepted their preflight). Reads the store only for a page whose origin is not configured. Other
 * clients send no origin, or one with the scheme of an app, whose preflight `allowOrigins` has decided.
 * @throws ORIGIN_NOT_ALLOWED when the page does not belong to the store
 */
export function allowStorePages<More>({ origins, findStore }: StorePages<More>): Step<More> {
  return {
    name: 'allowStorePages',
    before: async ({ event: { exchange } }) => {
      const { origin } = exchange.request.headers;
      if (origin === undefined || origins.includes(origin) || !isPageOrigin(origin)) return;
      const store = await findStore(exchange);
      if (store?.status !== 'installed') return;
      if (!listsOrigin(store.webSignIn, origin)) throw new ServiceError('ORIGIN_NOT_ALLOWED');
      allowOrigin(exchange, origin);
    },
  };
}
