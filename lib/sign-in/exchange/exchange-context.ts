import type { ShopDomain } from '../../domain/shop-domain.ts';
import type { StoreRecord } from '../../storage/stores.ts';

export type ExchangeRequest = {
  readonly shop: ShopDomain;
  readonly code: string;
  readonly verifier: string;
  readonly nonce: string;
  /** Names the device in the list of the customer's sign-ins. */
  readonly userAgent: string;
};

/** The request and its store, which the steps of an exchange share. */
export type ExchangeContext = ExchangeRequest & { readonly store: StoreRecord; readonly clientId: string };
