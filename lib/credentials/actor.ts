/** The actor who makes a GraphQL request, once the credential is verified. */

import type { CustomerId } from '../domain/customer-id.ts';
import type { KeyScope } from '../domain/key-scope.ts';
import type { SessionId } from '../domain/session-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import type { StoreRecord } from '../storage/stores.ts';

/** A customer, by an access token. */
export type CustomerActor = {
  readonly kind: 'customer';
  readonly shopId: ShopId;
  readonly customerId: CustomerId;
  readonly session: {
    readonly sessionId: SessionId;
    readonly generation: number;
    /** Settles, and never rejects, when the first use of this generation is noted: await it before answering. */
    readonly confirmation: Promise<void>;
  };
  readonly store: StoreRecord;
  /** When the customer owes nothing of its share in the store's points, epoch milliseconds. */
  readonly owedUntilMs?: number | undefined;
};

/** A merchant's server, by an admin key; acting for a customer if it says so on the request. */
export type StoreActor = {
  readonly kind: 'store';
  readonly shopId: ShopId;
  readonly keyId: AdminKeyId;
  readonly keyLabel: string;
  readonly scopes: readonly KeyScope[];
  /** Settles, and never rejects, when the hour of this use is noted; absent: nothing is to be noted. */
  readonly noted?: Promise<void>;
  readonly store: StoreRecord;
  readonly actingCustomerId?: CustomerId;
};

export type Actor = CustomerActor | StoreActor;
