import { ServiceError } from '../../lib/errors/service-error.ts';
import type { HandlerStep } from '../../lib/http/exchange.ts';
import type { StoreRecord, Stores } from '../../lib/storage/stores.ts';
import type { VerifySignature } from '../../lib/webhooks/in/verify-signature.ts';
import type { WithWebhook } from './read-webhook.ts';

/** The field that `verifyWebhook` adds to the exchange. */
export type WithStore = { store: StoreRecord };

type Deps = { readonly stores: Stores; readonly verifySignature: VerifySignature };

/**
 * Finds the store, and verifies that the webhook was signed with one of its client secrets. Uninstalled stores are
 * accepted, too. Every refusal is the same UNAUTHENTICATED, so it does not reveal whether the store exists; the log
 * contains the reason.
 */
export function verifyWebhook({ stores, verifySignature }: Deps): HandlerStep<WithWebhook & WithStore> {
  return {
    name: 'verifyWebhook',
    before: async ({ event: { exchange } }) => {
      const { webhook } = exchange;
      const shopId = webhook.domain && (await stores.findShopId(webhook.domain));
      const claimedStore = shopId && (await stores.find(shopId));
      // A store that is being purged gets no new inbox items. If a domain has moved to another store, only that store
      // is accepted.
      const store =
        claimedStore && claimedStore.status !== 'purging' && claimedStore.domain === webhook.domain
          ? claimedStore
          : undefined;
      const isSignatureValid = await verifySignature(store, webhook);
      if (store === undefined || !isSignatureValid) {
        exchange.logFields.refusal = store === undefined ? 'no store' : explainInvalidSignature(store);
        throw new ServiceError('UNAUTHENTICATED');
      }
      exchange.logFields.shopId = store.shopId;
      exchange.store = store;
    },
  };
}

function explainInvalidSignature({ webhooksVersionId }: StoreRecord): string {
  return webhooksVersionId === undefined ? 'no client secret' : 'signature';
}
