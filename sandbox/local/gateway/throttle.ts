/** Emulates API Gateway's throttle: a token bucket for each route. */

export type ThrottleLimits = { readonly ratePerSecond: number; readonly burst: number };
/** Whether one more request of the route is allowed now. */
export type TakeToken = (routeKey: string, throttle: ThrottleLimits) => boolean;

type TokenBucket = { tokens: number; filledAtMs: number };

/** Creates full buckets. `now` returns milliseconds. */
export function createTokenBuckets(now: () => number): TakeToken {
  const bucketByRoute = new Map<string, TokenBucket>();
  return (routeKey, { ratePerSecond, burst }) => {
    const nowMs = now();
    const { tokens, filledAtMs } = bucketByRoute.get(routeKey) ?? { tokens: burst, filledAtMs: nowMs };
    // A clock that is set back fills nothing.
    const gainedTokens = (Math.max(0, nowMs - filledAtMs) / 1000) * ratePerSecond;
    const tokensNow = Math.min(burst, tokens + gainedTokens);
    const isRequestAdmitted = tokensNow >= 1;
    bucketByRoute.set(routeKey, { tokens: isRequestAdmitted ? tokensNow - 1 : tokensNow, filledAtMs: nowMs });
    return isRequestAdmitted;
  };
}
