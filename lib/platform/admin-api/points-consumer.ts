/** The consumer of a store's points: throttle-buckets.ts admits its requests or schedules their retry. */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { CustomerQuotaRef } from '../../storage/sessions/session-record.ts';

/** The consumer of points: a store, and the customer if the request is a customer's. */
export type PointsConsumer = {
  readonly shopId: ShopId;
  readonly customerId: CustomerId | undefined;
  /**
   * Whether the request has already waited for points. It then does not wait for scheduled retries of other requests.
   */
  readonly hasWaited?: boolean | undefined;
  /**
   * Whether an earlier part of the request was admitted. This part then waits neither for the customer's quota nor for
   * scheduled retries of other requests.
   */
  readonly hasAdmittedPart?: boolean | undefined;
  /** When the customer’s whole quota is free, according to the table, epoch milliseconds. */
  readonly quotaFreeAtMs?: number | undefined;
  /** The points that will be claimed for the whole request, if they exceed the cost of this part. */
  readonly claimedPoints?: number | undefined;
  /** The points of the request's earlier parts. A retry of the request consumes them again. */
  readonly earlierPoints?: number | undefined;
};

/** A consumer with a quota: a customer of a store. */
export type CustomerConsumer = PointsConsumer & CustomerQuotaRef;

/**
 * A customer's quota with its store's bucket: size in points, and points restored per second. Both are 0 when
 * unknown.
 */
export type QuotaOwner = CustomerQuotaRef & {
  readonly maximumPoints: number;
  readonly pointsPerSecond: number;
};
