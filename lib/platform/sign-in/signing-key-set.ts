/** The public keys that sign a store's id_tokens (RFC 7517), cached within limits. */
import type * as oauth from 'oauth4webapi';
import { parseJsonObject } from '../../domain/json-object.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { createPublishedDocumentCache } from './published-document-cache.ts';
import type { SendSignInRequest } from './sign-in-request.ts';

type Deps = { readonly send: SendSignInRequest; readonly now: () => number };

const MIN_KEY_SET_RELOAD_INTERVAL_MS = 10_000;

export type SigningKeySet = {
  /** Returns the cached set, or loads it. */
  get(store: StoreRecord): Promise<oauth.JWKS>;
  /**
   * Loads the set, for an unknown key id.
   * @returns undefined when it was loaded less than 10 s ago
   */
  reload(store: StoreRecord): Promise<oauth.JWKS | undefined>;
};

/**
 * Creates the key sets of a container.
 * @throws TEMPORARILY_UNAVAILABLE when the platform does not serve one
 */
export function createSigningKeySet({ send, now }: Deps): SigningKeySet {
  const documents = createPublishedDocumentCache<oauth.JWKS>(now);
  return {
    get: ({ signIn }) => documents.get(signIn.jwksUri, () => fetchSigningKeySet(send, signIn.jwksUri)),
    reload: ({ signIn }) =>
      documents.reload(
        signIn.jwksUri,
        () => fetchSigningKeySet(send, signIn.jwksUri),
        MIN_KEY_SET_RELOAD_INTERVAL_MS,
      ),
  };
}

async function fetchSigningKeySet(send: SendSignInRequest, url: string): Promise<oauth.JWKS> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const keySetResponse = await send({ method: 'GET', url, headers }).catch((cause) => {
    throw unreadableKeySetError(cause);
  });
  const keys = keySetResponse.status === 200 ? parseJsonObject(keySetResponse.body)?.keys : undefined;
  const isKeySet = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
  if (!isKeySet) throw unreadableKeySetError();
  return { keys } as oauth.JWKS;
}

function unreadableKeySetError(cause?: unknown): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: "the platform's key set cannot be read",
    retryAfterSeconds: 2,
    cause,
  });
}
