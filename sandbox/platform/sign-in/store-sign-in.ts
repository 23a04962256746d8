/** The sign-in of one store: its provider, its keys and records. A new key set creates a new provider object. */
import type Provider from 'oidc-provider';
import type { StoreState } from '../state/state.ts';
import { type CreateProviderDeps, createProvider } from './create-provider.ts';
import { formatIssuer } from './discovery.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { SignInRecords } from './record-store.ts';
import { addNewSigningKey, type SigningKey } from './signing-keys.ts';

export type StoreSignIn = {
  readonly store: () => StoreState;
  readonly issuer: string;
  readonly mountPath: string;
  readonly records: SignInRecords;
  readonly codes: OneTimeCodes;
  readonly provider: () => Provider;
  readonly signingKeys: () => readonly SigningKey[];
  /** Creates a new signing key. `keepsOld`: the old ones stay in the published set. */
  readonly rotate: (keepsOld: boolean) => Promise<void>;
  /** Runs one token request at a time: two equal concurrent requests must not both succeed. */
  readonly runSequentially: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

export type StoreSignInDeps = Omit<CreateProviderDeps, 'issuer' | 'mountPath'> & {
  readonly origin: string;
  readonly codes: OneTimeCodes;
  /** Receives a new key set, to store it. */
  readonly onKeysRotated: (signingKeys: readonly SigningKey[]) => void;
};

export function createStoreSignIn(deps: StoreSignInDeps): StoreSignIn {
  const { shopId } = deps.store();
  const mountPath = `/authentication/${shopId}`;
  const issuer = formatIssuer(deps.origin, shopId);
  let signingKeys = deps.signingKeys;
  const createStoreProvider = () => createProvider({ ...deps, issuer, mountPath, signingKeys });
  const formatRedirectUris = () => {
    const { redirectUris: native, webRedirectUris: web = [] } = deps.store();
    return `${native.join(' ')}, ${web.join(' ')}`;
  };
  let provider = createStoreProvider();
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
      if (providerRedirectUris !== formatRedirectUris()) provider = createStoreProvider();
      providerRedirectUris = formatRedirectUris();
      return provider;
    },
    signingKeys: () => signingKeys,
    async rotate(keepsOld) {
      signingKeys = await addNewSigningKey(signingKeys, keepsOld);
      provider = createStoreProvider();
      deps.onKeysRotated(signingKeys);
      deps.changed();
    },
    runSequentially(work) {
      const callPromise = previousCall.then(work, work);
      previousCall = callPromise.catch(() => undefined);
      return callPromise;
    },
  };
}
