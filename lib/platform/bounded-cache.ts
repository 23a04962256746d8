/**
 * Keeps what the platform publishes about itself: fresh for some minutes, and for some more if the platform
 * cannot be asked. Bounded in number, so that no stream of shops can fill the memory.
 */
import { createRecentlyUsed } from './recently-used.ts';

export type BoundedCache<T> = {
  /** Kept, or loaded now. Rejects as `load` does if nothing young enough is kept. */
  get(key: string, load: () => Promise<T>): Promise<T>;
  /** Loaded now, unless it was loaded less than `reloadMs` ago: then undefined. */
  reload(key: string, load: () => Promise<T>): Promise<T | undefined>;
};

type Bounds = {
  readonly now: () => number;
  readonly freshMs: number;
  readonly staleMs: number;
  readonly reloadMs: number;
  readonly maxEntries: number;
};

/** A cache with these bounds. */
export function createBoundedCache<T>(bounds: Bounds): BoundedCache<T> {
  const { now, freshMs, staleMs, reloadMs, maxEntries } = bounds;
  const entries = createRecentlyUsed<string, { value: T; loadedAtMs: number }>(maxEntries);
  const load = async (key: string, loader: () => Promise<T>): Promise<T> => {
    const value = await loader();
    entries.set(key, { value, loadedAtMs: now() });
    return value;
  };
  return {
    async get(key, loader) {
      const entry = entries.get(key);
      const ageMs = entry === undefined ? Infinity : now() - entry.loadedAtMs;
      if (entry !== undefined && ageMs < freshMs) return entry.value;
      try {
        return await load(key, loader);
      } catch (error) {
        if (entry !== undefined && ageMs < staleMs) return entry.value;
        throw error;
      }
    },
    async reload(key, loader) {
      const entry = entries.get(key);
      if (entry !== undefined && now() - entry.loadedAtMs < reloadMs) return undefined;
      return load(key, loader);
    },
  };
}
