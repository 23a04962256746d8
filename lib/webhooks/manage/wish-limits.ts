/**
 * How often a store's keys have events sent again. What is sent goes to whatever host was named: without a bound one small
 * document would have the store's month sent to it, again and again. Counted for the store: an endpoint is made anew at will.
 */
import type { ShopId } from '../../domain/shop-id.ts';

type WishKind = keyof typeof wishLimits;

/** Of one by one, so many of an endpoint's lie in its record, too, whoever asked. */
export const MOST_RESENDS = 100;

/** `windowMs` begins with the first. */
export const wishLimits = {
  /** One for each endpoint that a store may have. */
  REPLAY: { most: 5, windowMs: 3_600_000 },
  RESEND: { most: MOST_RESENDS, windowMs: 86_400_000 },
} as const;

/** Counts a wish of the store; undefined, or when there is the next (epoch milliseconds). TEMPORARILY_UNAVAILABLE, THROTTLED. */
export type CountWish = (shopId: ShopId, kind: WishKind) => Promise<number | undefined>;
