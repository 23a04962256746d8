/**
 * Marks in the table for actions that are done once in a while: nobody repeats one until the time of its mark is over. Of
 * several requests at once one gets the mark. A mark goes by itself, and with its store's items.
 */
import type { ShopId } from '../domain/shop-id.ts';
import type { ItemKey, Table } from './table.ts';

export type CooldownRef = {
  readonly shopId: ShopId;
  /** The action, for example the name of a mutation. */
  readonly action: string;
  /** The object of the action, under its one name. */
  readonly subject: string;
};

/** A cooldown that has started, who started it, and when it ends (epoch milliseconds). */
type RunningCooldown = { readonly holder: string | undefined; readonly untilMs: number };

type Cooldowns = {
  /** Starts the cooldown for `durationMs`. @returns the cooldown that is under way already, or undefined when it started. */
  take(
    ref: CooldownRef,
    mark: { readonly holder: string; readonly durationMs: number },
  ): Promise<RunningCooldown | undefined>;
  /** Gives the mark back, for the action was not done. Another holder's mark stays. */
  release(ref: CooldownRef, holder: string): Promise<void>;
};

type Deps = { readonly table: Table; readonly now: () => number };

/** Cooldowns over the table. TEMPORARILY_UNAVAILABLE. */
export function createCooldowns({ table, now }: Deps): Cooldowns {
  return {
    async take(ref, { holder, durationMs }) {
      const key = cooldownKey(ref);
      const untilMs = now() + durationMs;
      const mark = { ...key, shopId: ref.shopId, holder, untilMs, expiresAt: Math.ceil(untilMs / 1000) };
      const free = 'attribute_not_exists(pk) OR untilMs <= :now';
      const outcome = await table.put(mark, { condition: free, values: { ':now': now() } });
      if (outcome === 'done') return undefined;
      const taken = await table.get(key);
      // The mark went in between: the action may be asked for again at once.
      return { holder: taken?.holder as string | undefined, untilMs: Number(taken?.untilMs ?? now()) };
    },
    async release(ref, holder) {
      const own = { condition: 'holder = :holder', values: { ':holder': holder } };
      await table.delete(cooldownKey(ref), own);
    },
  };
}

/** The item of the action on that object. */
export function cooldownKey({ shopId, action, subject }: CooldownRef): ItemKey {
  return { pk: `COOLDOWN#${shopId}#${action}#${subject}`, sk: 'COOLDOWN' };
}
