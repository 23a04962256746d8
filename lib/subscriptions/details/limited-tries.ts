/**
 * Limits the number of tries within a window of time that starts with the first try. A try is counted before it is
 * made, so that concurrent requests cannot exceed the limit. The caller refunds a try that was no wrong guess.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { type CooldownRef, cooldownKey } from '../../storage/cooldowns.ts';
import type { Table } from '../../storage/table.ts';

/** At most `maximum` tries within `windowMs` after the first one. */
export type TryLimit = { readonly maximum: number; readonly windowMs: number };
/** The stored state of a window: the tries in it, and its end in epoch milliseconds. */
type TryWindow = { readonly tries: number; readonly untilMs: number };

/**
 * `counted`: the try may be made, and `refund` subtracts it again. `exhausted`: no try is left until `untilMs` (epoch
 * milliseconds).
 */
export type LimitedTry =
  | { readonly outcome: 'counted'; refund(): Promise<void> }
  | { readonly outcome: 'exhausted'; readonly untilMs: number };

type TryCounter = {
  /**
   * Counts a try. `requestToken` is unique to the request; it is stored, so that a repeated write recognizes its own
   * item.
   * @throws THROTTLED when concurrent requests changed the counter in five attempts in a row
   */
  count(ref: CooldownRef, limit: TryLimit, requestToken: string): Promise<LimitedTry>;
};

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * How often the counter is read and written until no concurrent request has changed it in between. A client that
 * sends one request at a time needs one attempt.
 */
const MAX_COUNT_ATTEMPTS = 5;

/**
 * Creates the counter of limited tries. The counts are stored in the table under the keys of cooldowns. The methods
 * throw TEMPORARILY_UNAVAILABLE when the table cannot be used.
 */
export function createTryCounter({ table, now }: Deps): TryCounter {
  const readWindow = async (ref: CooldownRef): Promise<TryWindow | undefined> => {
    const item = await table.get(cooldownKey(ref));
    if (item === undefined || Number(item.untilMs) <= now()) return undefined;
    return { tries: Number(item.tries), untilMs: Number(item.untilMs) };
  };
  /** Replaces the stored window. Returns `refused` when the window has changed since it was read. */
  const replaceWindow = (
    ref: CooldownRef,
    windowBefore: TryWindow | undefined,
    windowAfter: TryWindow & { holder: string },
  ) => {
    const { tries, untilMs } = windowBefore ?? {};
    const windowItem = {
      ...cooldownKey(ref),
      shopId: ref.shopId,
      ...windowAfter,
      expiresAt: toEpochSeconds(windowAfter),
    };
    return windowBefore === undefined
      ? table.put(windowItem, {
          condition: 'attribute_not_exists(pk) OR untilMs <= :now',
          values: { ':now': now() },
        })
      : table.put(windowItem, {
          condition: 'tries = :tries AND untilMs = :until',
          values: { ':tries': tries, ':until': untilMs },
        });
  };
  const refundTry = async (ref: CooldownRef, countedWindow: TryWindow, requestToken: string) => {
    let windowBefore: TryWindow | undefined = countedWindow;
    for (let attemptCount = 0; attemptCount < MAX_COUNT_ATTEMPTS; attemptCount++) {
      // The window in which the try was counted is over, so there is nothing to refund.
      if (windowBefore?.untilMs !== countedWindow.untilMs) return;
      const windowAfter = { ...windowBefore, tries: windowBefore.tries - 1, holder: requestToken };
      if ((await replaceWindow(ref, windowBefore, windowAfter)) === 'done') return;
      windowBefore = await readWindow(ref);
    }
  };
  return {
    async count(ref, { maximum, windowMs }, requestToken) {
      for (let attemptsMade = 0; attemptsMade < MAX_COUNT_ATTEMPTS; attemptsMade++) {
        const windowBefore = await readWindow(ref);
        if (windowBefore !== undefined && windowBefore.tries >= maximum) {
          return { outcome: 'exhausted', untilMs: windowBefore.untilMs };
        }
        const windowAfter = {
          tries: (windowBefore?.tries ?? 0) + 1,
          untilMs: windowBefore?.untilMs ?? now() + windowMs,
        };
        if ((await replaceWindow(ref, windowBefore, { ...windowAfter, holder: requestToken })) === 'done') {
          return { outcome: 'counted', refund: () => refundTry(ref, windowAfter, requestToken) };
        }
      }
      throw new ServiceError('THROTTLED', { internal: 'too many tries at once', retryAfterSeconds: 1 });
    },
  };
}

function toEpochSeconds({ untilMs }: TryWindow): number {
  return Math.ceil(untilMs / 1000);
}
