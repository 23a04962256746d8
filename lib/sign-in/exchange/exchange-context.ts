import type { ShopDomain } from '../../domain/shop-domain.ts';
import type { StoreRecord } from '../../storage/stores.ts';

export type ExchangeRequest = {
  readonly shop: ShopDomain;
  readonly code: string;
  readonly verifier: string;
  readonly nonce: string;
  /** The header that names the device in the customer's list of sign-ins. */
  readonly userAgent: string;
};

/** The request with its store and the store's client id, for the steps of an exchange. */
export type ExchangeContext = ExchangeRequest & { readonly store: StoreRecord; readonly clientId: string };
