/** What of the sign-in outlives a restart: keys, cookies' keys, sessions, grants and tokens, for every store. */
import { randomBytes } from 'node:crypto';
import type { AdapterPayload } from 'oidc-provider';
import type { AppGrant, AppGrants } from '../grants/app-grants.ts';
import type { PlatformState, StoreState } from '../state/state.ts';
import type { OneTimeCode, OneTimeCodes } from './one-time-codes.ts';
import type { SignInRecords } from './record-store.ts';
import { makeSigningKey, type SigningKey } from './signing-keys.ts';
import { createStoreSignIn, type StoreSignIn, type StoreSignInDeps } from './store-sign-in.ts';

type KeptStore = {
  signingKeys: readonly SigningKey[];
  readonly records: SignInRecords;
  readonly codes: OneTimeCodes;
};

type KeptStoreJson = {
  readonly signingKeys: readonly SigningKey[];
  readonly records: readonly [string, AdapterPayload][];
  readonly codes: readonly [string, OneTimeCode][];
};

export type KeptSignIn = {
  readonly cookieKeys: readonly string[];
  /** The sign-ins by shop. */
  readonly stores: ReadonlyMap<string, KeptStore>;
  readonly grants: AppGrants;
};

type Json = {
  readonly cookieKeys: readonly string[];
  readonly stores: Readonly<Record<string, KeptStoreJson | undefined>>;
  readonly grants: readonly [string, AppGrant][];
};

/** The sign-in that `keepSignIn` gave, or a new one. */
export async function openKeptSignIn(json: unknown, shops: readonly string[]): Promise<KeptSignIn> {
  const kept = json as Json | undefined;
  const stores = shops.map(async (shop): Promise<[string, KeptStore]> => {
    const { signingKeys, records, codes } = kept?.stores[shop] ?? (await newStore());
    return [shop, { signingKeys, records: new Map(records), codes: new Map(codes) }];
  });
  return {
    cookieKeys: kept?.cookieKeys ?? [randomBytes(24).toString('base64url')],
    stores: new Map(await Promise.all(stores)),
    grants: new Map(kept?.grants),
  };
}

async function newStore(): Promise<KeptStoreJson> {
  return { signingKeys: [await makeSigningKey()], records: [], codes: [] };
}

/** The sign-in as JSON can carry it. */
export function keepSignIn({ cookieKeys, stores, grants }: KeptSignIn): unknown {
  const entries = [...stores].map(([shop, { signingKeys, records, codes }]) => [
    shop,
    { signingKeys, records: [...records], codes: [...codes] },
  ]);
  return { cookieKeys, stores: Object.fromEntries(entries), grants: [...grants] };
}

type Deps = Pick<StoreSignInDeps, 'origin' | 'lifetimes' | 'nowMs' | 'changed' | 'skewSeconds'> & {
  readonly state: () => PlatformState;
  readonly announce: (line: string) => void;
};

/** The sign-ins of all stores, by shop. */
export function makeSignIns(kept: KeptSignIn, deps: Deps): ReadonlyMap<string, StoreSignIn> {
  const entries = [...kept.stores].map(([shop, store]): [string, StoreSignIn] => {
    const signIn = createStoreSignIn({
      ...deps,
      store: () => storeOf(deps.state(), shop),
      records: store.records,
      codes: store.codes,
      cookieKeys: kept.cookieKeys,
      signingKeys: store.signingKeys,
      rotated(signingKeys) {
        store.signingKeys = signingKeys;
      },
      refused: (reason) => deps.announce(`Token request refused at ${shop}: ${reason}`),
    });
    return [shop, signIn];
  });
  return new Map(entries);
}

function storeOf({ stores }: PlatformState, shop: string): StoreState {
  const store = stores.get(shop);
  if (store === undefined) throw new Error(`The platform has no store ${shop}.`);
  return store;
}
