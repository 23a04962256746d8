import type { ShopDomain } from '../../domain/shop-domain.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { SignInTarget } from '../sign-in-target.ts';

export type ExchangeRequest = {
  readonly shop: ShopDomain;
  readonly code: string;
  readonly verifier: string;
  readonly nonce: string;
  /** The header that names the device in the customer's list of sign-ins. */
  readonly userAgent: string;
};

/**
 * A request of an exchange, with the installed store that it names, and the client and page with which the sign-in was
 * started.
 */
export type ResolvedExchange = ExchangeRequest & {
  readonly store: StoreRecord;
  readonly signInTarget: SignInTarget;
};
