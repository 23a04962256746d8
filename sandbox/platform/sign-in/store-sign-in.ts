/** The sign-in of one store: its provider, its keys and records. A new key set creates a new provider object. */
import type Provider from 'oidc-provider';
import type { StoreState } from '../state/state.ts';
import { type CreateProviderDeps, createProvider } from './create-provider.ts';
import { formatIssuer } from './discovery.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { SignInRecords } from './record-store.ts';
import { addNewSigningKey, createSigningKey, type SigningKey } from './signing-keys.ts';

export type StoreSignIn = {
  readonly store: () => StoreState;
  readonly issuer: string;
  readonly mountPath: string;
  readonly records: SignInRecords;
  readonly codes: OneTimeCodes;
  readonly provider: () => Provider;
  readonly signingKeys: () => readonly SigningKey[];
  /** Creates a new signing key. `keepsOld`: the old ones stay in the published set. */
  readonly rotate: (keepsOld: boolean) => void;
  /** Runs one token request at a time: two equal concurrent requests must not both succeed. */
  readonly runSequentially: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

export type StoreSignInDeps = Omit<CreateProviderDeps, 'issuer' | 'mountPath' | 'signingKeys'> & {
  readonly origin: string;
  /** The stored keys; the first sign-in creates a key, which takes some time, where none is stored. */
  readonly signingKeys: readonly SigningKey[] | undefined;
  readonly codes: OneTimeCodes;
  /** Receives a new key set, to store it. */
  readonly onKeysRotated: (signingKeys: readonly SigningKey[]) => void;
};

export function createStoreSignIn(deps: StoreSignInDeps): StoreSignIn {
  const { shopId } = deps.store();
  const mountPath = `/authentication/${shopId}`;
  const issuer = formatIssuer(deps.origin, shopId);
  let storedKeys = deps.signingKeys;
  const storeKeys = (keys: readonly SigningKey[]) => {
    storedKeys = keys;
    deps.onKeysRotated(keys);
    deps.onChange();
    return keys;
  };
  const signingKeys = () => storedKeys ?? storeKeys([createSigningKey()]);
  const formatRedirectUris = () => {
    const { redirectUris: native, webRedirectUris: web = [] } = deps.store();
    return `${native.join(' ')}, ${web.join(' ')}`;
  };
  let provider: Provider | undefined;
  let providerRedirectUris = formatRedirectUris();
  let previousCall: Promise<unknown> = Promise.resolve();
  return {
    store: deps.store,
    issuer,
    mountPath,
    records: deps.records,
    codes: deps.codes,
    provider() {
      // A merchant may register other addresses, and a reset restores the first ones.
      if (providerRedirectUris !== formatRedirectUris()) provider = undefined;
      providerRedirectUris = formatRedirectUris();
      provider ??= createProvider({ ...deps, issuer, mountPath, signingKeys: signingKeys() });
      return provider;
    },
    signingKeys,
    rotate(keepsOld) {
      storeKeys(addNewSigningKey(signingKeys(), keepsOld));
      provider = undefined;
    },
    runSequentially(work) {
      const callPromise = previousCall.then(work, work);
      previousCall = callPromise.catch(() => undefined);
      return callPromise;
    },
  };
}
