/**
 * Limits how often a store's keys request replays and resends. Any host can be an endpoint, so without a limit a
 * small document could repeatedly have a month of events sent to it. Counted by store, because endpoints can be
 * created again at will.
 */
import type { ShopId } from '../../domain/shop-id.ts';

type ReplayKind = keyof typeof replayLimits;

/** Also the maximum number of resend requests in an endpoint's record, from any requester. */
export const MAX_RESENDS = 100;

/** `windowMs` starts with the first request. */
export const replayLimits = {
  /** One for each endpoint that a store may have. */
  REPLAY: { maximum: 5, windowMs: 3_600_000 },
  RESEND: { maximum: MAX_RESENDS, windowMs: 86_400_000 },
} as const;

/**
 * Counts a request of the store.
 * @returns undefined when it is allowed, else when the next one is (epoch milliseconds)
 * @throws TEMPORARILY_UNAVAILABLE, THROTTLED
 */
export type CountReplayRequest = (shopId: ShopId, kind: ReplayKind) => Promise<number | undefined>;
