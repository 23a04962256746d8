/**
 * Cooldowns limit how often an action is done: the action cannot start again until its cooldown ends. One of several
 * concurrent requests gets the cooldown. Its item expires, or is deleted with its store.
 */
import type { ShopId } from '../domain/shop-id.ts';
import type { ItemKey, Table } from './table.ts';

export type CooldownRef = {
  readonly shopId: ShopId;
  /** The action, for example the name of a mutation. */
  readonly action: string;
  /** The object of the action, under one canonical name. */
  readonly subject: string;
};

/** A running cooldown: its holder, and its end (epoch milliseconds). */
type RunningCooldown = { readonly holder: string | undefined; readonly untilMs: number };

type Cooldowns = {
  /**
   * Starts the cooldown for `durationMs`.
   * @returns the running cooldown, or undefined when a new one started
   */
  take(
    ref: CooldownRef,
    cooldown: { readonly holder: string; readonly durationMs: number },
  ): Promise<RunningCooldown | undefined>;
  /** Ends the cooldown, because the action was not done. Another holder's cooldown stays. */
  release(ref: CooldownRef, holder: string): Promise<void>;
};

type Deps = { readonly table: Table; readonly now: () => number };

/** Creates cooldowns over the table. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createCooldowns({ table, now }: Deps): Cooldowns {
  return {
    async take(ref, { holder, durationMs }) {
      const key = cooldownKey(ref);
      const untilMs = now() + durationMs;
      const cooldown = { ...key, shopId: ref.shopId, holder, untilMs, expiresAt: Math.ceil(untilMs / 1000) };
      const free = 'attribute_not_exists(pk) OR untilMs <= :now';
      const outcome = await table.put(cooldown, { condition: free, values: { ':now': now() } });
      if (outcome === 'done') return undefined;
      const taken = await table.get(key);
      // The cooldown ended in between: the action may be retried immediately.
      return { holder: taken?.holder as string | undefined, untilMs: Number(taken?.untilMs ?? now()) };
    },
    async release(ref, holder) {
      const own = { condition: 'holder = :holder', values: { ':holder': holder } };
      await table.delete(cooldownKey(ref), own);
    },
  };
}

/** Returns the key of the action's item for that object. */
export function cooldownKey({ shopId, action, subject }: CooldownRef): ItemKey {
  return { pk: `COOLDOWN#${shopId}#${action}#${subject}`, sk: 'COOLDOWN' };
}
