/** Reads and writes the settings of stores, and the stop of all stores (`BILLING#ALL`, `STOP`). */
import type { ShopId } from '../../domain/shop-id.ts';
import { type ItemKey, type Table, versionCondition } from '../../storage/table.ts';
import { type BillingSettings, DEFAULT_BILLING_SETTINGS } from './settings-record.ts';

/** An operator's stop of all stores. `atMs`: epoch milliseconds. */
export type BillingStop = { readonly atMs: number };

export type BillingSettingsRepository = ReturnType<typeof createBillingSettings>;

type Deps = { readonly table: Pick<Table, 'get' | 'put' | 'delete'>; readonly now: () => number };

const STOP_KEY: ItemKey = { pk: 'BILLING#ALL', sk: 'STOP' };

/** Creates the settings over the table. Reads are consistent. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createBillingSettings({ table, now }: Deps) {
  return {
    /** Reads a store's settings: the defaults, with version 0, if none are stored. */
    async read(shopId: ShopId): Promise<BillingSettings> {
      const item = await table.get(settingsItemKey(shopId));
      if (item === undefined) return DEFAULT_BILLING_SETTINGS;
      const { pk: _pk, sk: _sk, shopId: _shopId, ...settings } = item;
      return settings as unknown as BillingSettings;
    },
    /** Replaces the version that was read. Returns `refused` if the settings have changed since. */
    write(
      shopId: ShopId,
      before: Pick<BillingSettings, 'version'>,
      after: Omit<BillingSettings, 'version' | 'updatedAtMs'>,
    ): Promise<'done' | 'refused'> {
      const writtenSettings = { ...after, version: before.version + 1, updatedAtMs: now() };
      return table.put(
        { ...settingsItemKey(shopId), shopId, ...writtenSettings },
        versionCondition(before.version),
      );
    },
    /** Writes the version after `before`, unless a later version is stored. For a restored table, which lacks versions. */
    overwrite(
      shopId: ShopId,
      before: Pick<BillingSettings, 'version'>,
      after: Omit<BillingSettings, 'version' | 'updatedAtMs'>,
    ): Promise<'done' | 'refused'> {
      const writtenSettings = { ...after, version: before.version + 1, updatedAtMs: now() };
      return table.put(
        { ...settingsItemKey(shopId), shopId, ...writtenSettings },
        {
          condition: 'attribute_not_exists(pk) OR version <= :before',
          values: { ':before': before.version },
        },
      );
    },
    /** Reads the stop of all stores; undefined if there is none. */
    async readStop(): Promise<BillingStop | undefined> {
      const item = await table.get(STOP_KEY);
      return item && { atMs: Number(item.atMs) };
    },
    /** Stops all stores. */
    async stopAll(): Promise<void> {
      await table.put({ ...STOP_KEY, atMs: now() });
    },
    /** Ends the stop of all stores. Stops of single stores stay. */
    async resumeAll(): Promise<void> {
      await table.delete(STOP_KEY);
    },
  };
}

function settingsItemKey(shopId: ShopId): ItemKey {
  return { pk: `BILLING#${shopId}`, sk: 'SETTINGS' };
}
