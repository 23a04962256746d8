/** The public keys that a store's id_tokens are signed with (RFC 7517), kept within bounds. */
import type * as oauth from 'oauth4webapi';
import { parseJsonObject } from '../../domain/json-object.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { createPublishedDocuments } from './published-documents.ts';
import type { SendSignInRequest } from './sign-in-request.ts';

type Deps = { readonly send: SendSignInRequest; readonly now: () => number };

const RELOAD_MS = 10_000;

export type KeySet = {
  /** The set that is kept, or that is asked for now. */
  get(store: StoreRecord): Promise<oauth.JWKS>;
  /** The set asked for now, for a key id that is not known; undefined: that was done less than 10 s ago. */
  reload(store: StoreRecord): Promise<oauth.JWKS | undefined>;
};

/** The key sets of a container. TEMPORARILY_UNAVAILABLE if the platform does not serve one. */
export function createKeySet({ send, now }: Deps): KeySet {
  const documents = createPublishedDocuments<oauth.JWKS>(now);
  return {
    get: ({ signIn }) => documents.get(signIn.jwksUri, () => load(send, signIn.jwksUri)),
    reload: ({ signIn }) => documents.reload(signIn.jwksUri, () => load(send, signIn.jwksUri), RELOAD_MS),
  };
}

async function load(send: SendSignInRequest, url: string): Promise<oauth.JWKS> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const answer = await send({ method: 'GET', url, headers }).catch((cause) => {
    throw unusable(cause);
  });
  const keys = answer.status === 200 ? parseJsonObject(answer.body)?.keys : undefined;
  const isKeySet = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
  if (!isKeySet) throw unusable();
  return { keys } as oauth.JWKS;
}

function unusable(cause?: unknown): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: "the platform's key set cannot be read",
    retryAfterSeconds: 2,
    cause,
  });
}
