/**
 * Cooldowns limit how often an action can be done: it cannot start again before its cooldown ends. If several requests
 * try concurrently, only one starts the cooldown.
 */
import type { ShopId } from '../domain/shop-id.ts';
import type { ItemKey, Table } from './table.ts';

export type CooldownRef = {
  readonly shopId: ShopId;
  /** The action, for example the name of a mutation. */
  readonly action: string;
  /** The id of the object that the action concerns. All requests for one object must write it in the same form. */
  readonly subject: string;
};

/** A cooldown in progress: who started it, and when it ends (epoch milliseconds). */
type RunningCooldown = { readonly holder: string | undefined; readonly untilMs: number };

type Cooldowns = {
  /**
   * Starts a cooldown of `durationMs` milliseconds.
   * @returns undefined when it was started, else the cooldown that is in progress
   */
  start(
    ref: CooldownRef,
    cooldown: { readonly holder: string; readonly durationMs: number },
  ): Promise<RunningCooldown | undefined>;
  /** Ends the cooldown early, because the action was not done. Does nothing if another holder started it. */
  release(ref: CooldownRef, holder: string): Promise<void>;
};

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * Creates the cooldowns. They are stored in the table and expire by themselves. The methods throw
 * TEMPORARILY_UNAVAILABLE when the table cannot be used.
 */
export function createCooldownRepository({ table, now }: Deps): Cooldowns {
  return {
    async start(ref, { holder, durationMs }) {
      const key = cooldownKey(ref);
      const untilMs = now() + durationMs;
      const cooldown = { ...key, shopId: ref.shopId, holder, untilMs, expiresAt: Math.ceil(untilMs / 1000) };
      const freeCondition = 'attribute_not_exists(pk) OR untilMs <= :now';
      const putOutcome = await table.put(cooldown, { condition: freeCondition, values: { ':now': now() } });
      if (putOutcome === 'done') return undefined;
      const runningItem = await table.get(key);
      // If the cooldown ended between the write and the read, return the present time: the action may be tried again
      // immediately.
      return {
        holder: runningItem?.holder as string | undefined,
        untilMs: Number(runningItem?.untilMs ?? now()),
      };
    },
    async release(ref, holder) {
      const holderCondition = { condition: 'holder = :holder', values: { ':holder': holder } };
      await table.delete(cooldownKey(ref), holderCondition);
    },
  };
}

/** Returns the table key of the cooldown of an action on an object. */
export function cooldownKey({ shopId, action, subject }: CooldownRef): ItemKey {
  return { pk: `COOLDOWN#${shopId}#${action}#${subject}`, sk: 'COOLDOWN' };
}
