/** The consumer of a store's points: throttle-buckets.ts admits its requests or schedules their retry. */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { ShareRef } from '../../storage/sessions/session-record.ts';

/** The spender of points: a store, and the customer if the request is a customer's. */
export type PointsConsumer = {
  readonly shopId: ShopId;
  readonly customerId: CustomerId | undefined;
  /** The request has waited: it does not wait for those who were sent away. */
  readonly hasWaited?: boolean | undefined;
  /** An earlier part of the request was let in: neither its customer's share nor those who were sent away hold it up. */
  readonly isLetIn?: boolean | undefined;
  /** When the customer’s whole quota is free, according to the table, epoch milliseconds. */
  readonly quotaFreeAtMs?: number | undefined;
  /** The points that will be claimed for the whole request, where they are more than its part costs. */
  readonly claimedPoints?: number | undefined;
  /** The points of the request's earlier parts. A retry of the request consumes them again. */
  readonly earlierPoints?: number | undefined;
};

/** A spender that has a share. */
export type CustomerConsumer = PointsConsumer & ShareRef;

/**
 * A customer's quota with its store's bucket: size in points, and points restored per second. Both are 0 when
 * unknown.
 */
export type QuotaOwner = ShareRef & { readonly maximum: number; readonly ratePerSecond: number };
