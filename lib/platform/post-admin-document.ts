/**
 * One fixed document to the platform's Admin API, for the functions that do not forward clients' queries. The
 * platform's refusals become ours; a document that it does not understand is our own mistake.
 */
import { ServiceError } from '../errors/service-error.ts';
import type { StoreRecord } from '../storage/stores.ts';
import type { VersionReader } from '../storage/versioned-secret.ts';
import { readJsonObject } from './classify-token-answer.ts';
import { type RawAnswer, type SendSignInRequest, TransportError } from './sign-in-request.ts';

export type AdminDocument = {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
};
export type PostAdminDocument = (
  store: StoreRecord,
  document: AdminDocument,
) => Promise<Readonly<Record<string, unknown>>>;

export type PostAdminDocumentDeps = {
  readonly send: SendSignInRequest;
  readonly readVersion: VersionReader;
  readonly platformOrigin: string;
  readonly platformApiVersion: string;
};

type Cost = {
  requestedQueryCost?: number;
  throttleStatus?: { currentlyAvailable?: number; restoreRate?: number };
};
type AdminBody = {
  data?: Record<string, unknown> | null;
  errors?: unknown;
  extensions?: { cost?: Cost };
};

const USUAL_WAIT_SECONDS = 2;
/** The store has withdrawn the grant, is frozen or closed. */
const DISCONNECTED = new Set([401, 402, 403, 404, 423]);

/**
 * The poster: a store and a document in, `data` out. STORE_DISCONNECTED; THROTTLED with the wait that the cost
 * asks for; TEMPORARILY_UNAVAILABLE for everything else: the document may then have run all the same.
 */
export function createPostAdminDocument(deps: PostAdminDocumentDeps): PostAdminDocument {
  return async (store, document) => {
    const origin = deps.platformOrigin.replaceAll('{shop}', store.domain);
    const answer = await deps
      .send({
        method: 'POST',
        url: `${origin}/admin/api/${deps.platformApiVersion}/graphql.json`,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'x-shopify-access-token': await readAccessToken(deps, store),
        },
        body: JSON.stringify(document),
      })
      .catch((error: unknown) => {
        if (error instanceof TransportError) throw unavailable(error.kind);
        throw error;
      });
    return readData(answer);
  };
}

async function readAccessToken({ readVersion }: PostAdminDocumentDeps, store: StoreRecord): Promise<string> {
  if (store.platformVersionId === undefined) throw new ServiceError('STORE_DISCONNECTED');
  const grant = await readVersion(store.shopId, 'platform', store.platformVersionId);
  const accessToken = (grant as { accessToken?: unknown } | null)?.accessToken;
  if (typeof accessToken !== 'string') throw new ServiceError('STORE_DISCONNECTED');
  return accessToken;
}

function readData(answer: RawAnswer): Readonly<Record<string, unknown>> {
  if (DISCONNECTED.has(answer.status)) throw new ServiceError('STORE_DISCONNECTED');
  if (answer.status === 429) throw throttled(Number(answer.headers['retry-after']));
  const body = readJsonObject(answer) as AdminBody | undefined;
  const code = firstErrorCode(body);
  if (code === 'THROTTLED') throw throttled(waitOf(body?.extensions?.cost));
  if (code === 'ACCESS_DENIED' || code === 'SHOP_INACTIVE') throw new ServiceError('STORE_DISCONNECTED');
  if (answer.status !== 200 || !body?.data || code !== undefined)
    throw unavailable(`${answer.status} ${code ?? ''}`);
  return body.data;
}

function firstErrorCode(body: AdminBody | undefined): string | undefined {
  if (body?.errors === undefined) return undefined;
  const [first] = Array.isArray(body.errors) ? body.errors : [];
  return (first as { extensions?: { code?: string } } | undefined)?.extensions?.code ?? 'unknown';
}

/** (requested − available) / restore rate, in seconds. */
function waitOf(cost: Cost | undefined): number {
  const { currentlyAvailable = 0, restoreRate = 0 } = cost?.throttleStatus ?? {};
  return ((cost?.requestedQueryCost ?? Number.NaN) - currentlyAvailable) / restoreRate;
}

function throttled(seconds: number): ServiceError {
  const wait = Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : USUAL_WAIT_SECONDS;
  return new ServiceError('THROTTLED', { retryAfterSeconds: wait });
}

function unavailable(what: string): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: `the Admin API: ${what}`,
    retryAfterSeconds: 2,
  });
}
