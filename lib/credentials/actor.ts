/** The actor of a GraphQL request, after its credential is verified. */

import type { CustomerId } from '../domain/customer-id.ts';
import type { KeyScope } from '../domain/key-scope.ts';
import type { SessionId } from '../domain/session-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import type { StoreRecord } from '../storage/stores.ts';

/**
 * The contracts that were in the app's last list of next orders. Their numbers are a hint, never a proof of ownership.
 */
export type RememberedContracts = {
  readonly numbers: readonly string[];
  /** Replaces the numbers for later requests. Never rejects. */
  readonly replace: (numbers: readonly string[]) => Promise<void>;
};

/** A customer with an access token. */
export type CustomerActor = {
  readonly kind: 'customer';
  readonly shopId: ShopId;
  readonly customerId: CustomerId;
  readonly session: {
    readonly sessionId: SessionId;
    readonly generation: number;
    /**
     * Resolves when the first use of this token generation is recorded, and never rejects. Await it before the
     * response. Absent when nothing has to be recorded.
     */
    readonly confirmation?: Promise<unknown> | undefined;
    /** The contracts that the session remembers, or undefined when it remembers none for this request. */
    readonly rememberedContracts?: RememberedContracts;
  };
  readonly store: StoreRecord;
  /** When the customer's quota of the store's points is free again, epoch milliseconds. */
  readonly quotaFreeAtMs?: number | undefined;
};

/** A merchant's server with an admin key; it acts for a customer if the request names one. */
export type StoreActor = {
  readonly kind: 'store';
  readonly shopId: ShopId;
  readonly keyId: AdminKeyId;
  readonly keyLabel: string;
  readonly scopes: readonly KeyScope[];
  /**
   * Resolves when the hour of this use of the key is recorded, and never rejects. Absent when nothing has to be
   * recorded.
   */
  readonly usageWrite?: Promise<void>;
  readonly store: StoreRecord;
  readonly actingCustomerId?: CustomerId;
};

export type Actor = CustomerActor | StoreActor;
