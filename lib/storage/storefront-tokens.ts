/**
 * Stores a store's storefront token in its STORE item. A lease ensures that only one process creates a token at a time.
 */
import { type StorefrontRefusal, type StoreRecord, storeItemKey } from './stores.ts';
import type { Table, WriteOutcome } from './table.ts';

/** A lease. Its end, `untilMs`, also identifies the lease. */
export type StorefrontLease = { readonly store: StoreRecord; readonly untilMs: number };

export type StorefrontToken = {
  /** The platform's global id of the token. */
  readonly id: string;
  readonly accessToken: string;
};

export type StorefrontTokens = {
  /**
   * Takes the lease. Returns `refused` when another process has it, or the stored token has changed since `store` was
   * read.
   */
  lease(lease: StorefrontLease, nowMs: number): Promise<WriteOutcome>;
  /**
   * Stores the token and releases the lease. Returns `refused` when the lease has ended, or the store was installed
   * again.
   */
  store(lease: StorefrontLease, token: StorefrontToken): Promise<WriteOutcome>;
  /** Records why the platform creates no token, and releases the lease. Returns `refused` when the lease has ended. */
  recordRefusal(lease: StorefrontLease, refusal: StorefrontRefusal): Promise<WriteOutcome>;
};

const SAME_INSTALLATION_CONDITION = '#status = :installed AND installedAtMs = :installedAt';
const STOREFRONT_LEASE_CONDITION = 'storefrontLeaseUntilMs = :until';
const STATUS_PLACEHOLDERS = { '#status': 'status' };

/** Creates the access to storefront tokens. */
export function createStorefrontTokenRepository({ table }: { readonly table: Table }): StorefrontTokens {
  return {
    lease: ({ store, untilMs }, nowMs) =>
      table.update({
        key: storeItemKey(store.shopId),
        update: 'SET storefrontLeaseUntilMs = :until',
        condition:
          `${SAME_INSTALLATION_CONDITION} AND ${sameTokenCondition(store)} AND ` +
          '(attribute_not_exists(storefrontLeaseUntilMs) OR storefrontLeaseUntilMs < :now)',
        names: STATUS_PLACEHOLDERS,
        values: {
          ...installationConditionValues(store),
          ...currentTokenConditionValues(store),
          ':until': untilMs,
          ':now': nowMs,
        },
      }),
    store: ({ store, untilMs }, token) =>
      table.update({
        key: storeItemKey(store.shopId),
        update:
          'SET storefrontAccessToken = :token, storefrontTokenId = :id ' +
          'REMOVE storefrontLeaseUntilMs, storefrontRefusal',
        condition: `${SAME_INSTALLATION_CONDITION} AND ${STOREFRONT_LEASE_CONDITION}`,
        names: STATUS_PLACEHOLDERS,
        values: {
          ...installationConditionValues(store),
          ':until': untilMs,
          ':token': token.accessToken,
          ':id': token.id,
        },
      }),
    recordRefusal: ({ store, untilMs }, refusal) =>
      table.update({
        key: storeItemKey(store.shopId),
        update: 'SET storefrontRefusal = :refusal REMOVE storefrontLeaseUntilMs',
        condition: `${SAME_INSTALLATION_CONDITION} AND ${STOREFRONT_LEASE_CONDITION}`,
        names: STATUS_PLACEHOLDERS,
        values: { ...installationConditionValues(store), ':until': untilMs, ':refusal': refusal },
      }),
  };
}

function installationConditionValues({ installedAtMs }: StoreRecord) {
  return { ':installed': 'installed', ':installedAt': installedAtMs };
}

function currentTokenConditionValues({ storefrontAccessToken: token }: StoreRecord) {
  return token === undefined ? {} : { ':before': token };
}

function sameTokenCondition({ storefrontAccessToken: token }: StoreRecord): string {
  return token === undefined
    ? 'attribute_not_exists(storefrontAccessToken)'
    : 'storefrontAccessToken = :before';
}
