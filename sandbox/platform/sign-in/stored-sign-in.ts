/** The part of the sign-in that survives a restart: keys, cookie keys, sessions, grants and tokens of every store. */
import { randomBytes } from 'node:crypto';
import type { AdapterPayload } from 'oidc-provider';
import type { AppGrant, AppGrants } from '../grants/app-grants.ts';
import type { PlatformState, StoreState } from '../state/state.ts';
import type { OneTimeCode, OneTimeCodes } from './one-time-codes.ts';
import type { SignInRecords } from './record-store.ts';
import type { SigningKey } from './signing-keys.ts';
import { createStoreSignIn, type StoreSignIn, type StoreSignInDeps } from './store-sign-in.ts';

type StoredStoreSignIn = {
  /** Undefined until the first sign-in. */
  signingKeys: readonly SigningKey[] | undefined;
  readonly records: SignInRecords;
  readonly codes: OneTimeCodes;
};

type StoredStoreJson = {
  readonly signingKeys?: readonly SigningKey[];
  readonly records: readonly [string, AdapterPayload][];
  readonly codes: readonly [string, OneTimeCode][];
};

export type StoredSignIn = {
  readonly cookieKeys: readonly string[];
  /** The sign-ins by shop. */
  readonly stores: ReadonlyMap<string, StoredStoreSignIn>;
  readonly grants: AppGrants;
};

type StoredSignInJson = {
  readonly cookieKeys: readonly string[];
  readonly stores: Readonly<Record<string, StoredStoreJson | undefined>>;
  readonly grants: readonly [string, AppGrant][];
};

/** Restores the sign-in from the value of `toStoredSignInJson`, or creates a new one. */
export function restoreSignIn(json: unknown, shops: readonly string[]): StoredSignIn {
  const storedJson = json as StoredSignInJson | undefined;
  const stores = shops.map((shop): [string, StoredStoreSignIn] => {
    const stored = storedJson?.stores[shop];
    const { signingKeys } = stored ?? {};
    return [shop, { signingKeys, records: new Map(stored?.records), codes: new Map(stored?.codes) }];
  });
  return {
    cookieKeys: storedJson?.cookieKeys ?? [randomBytes(24).toString('base64url')],
    stores: new Map(stores),
    grants: new Map(storedJson?.grants),
  };
}

/** Returns the sign-in in a form that JSON supports. */
export function toStoredSignInJson({ cookieKeys, stores, grants }: StoredSignIn): unknown {
  const storeEntries = [...stores].map(([shop, { signingKeys, records, codes }]) => [
    shop,
    { signingKeys, records: [...records], codes: [...codes] },
  ]);
  return { cookieKeys, stores: Object.fromEntries(storeEntries), grants: [...grants] };
}

type SignInsDeps = Pick<StoreSignInDeps, 'origin' | 'lifetimes' | 'nowMs' | 'onChange' | 'skewSeconds'> & {
  readonly state: () => PlatformState;
  readonly announce: (line: string) => void;
};

/** Creates the sign-ins of all stores, by shop. */
export function createSignIns(
  storedSignIn: StoredSignIn,
  deps: SignInsDeps,
): ReadonlyMap<string, StoreSignIn> {
  const storeEntries = [...storedSignIn.stores].map(([shop, store]): [string, StoreSignIn] => {
    const signIn = createStoreSignIn({
      ...deps,
      store: () => requireStore(deps.state(), shop),
      records: store.records,
      codes: store.codes,
      cookieKeys: storedSignIn.cookieKeys,
      signingKeys: store.signingKeys,
      onKeysRotated(signingKeys) {
        store.signingKeys = signingKeys;
      },
      onRefusal: (reason) => deps.announce(`Token request refused at ${shop}: ${reason}`),
    });
    return [shop, signIn];
  });
  return new Map(storeEntries);
}

function requireStore({ stores }: PlatformState, shop: string): StoreState {
  const store = stores.get(shop);
  if (store === undefined) throw new Error(`The platform has no store ${shop}.`);
  return store;
}
