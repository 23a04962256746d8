/**
 * The emulated Admin API of all stores: turns one HTTP request into one response. It checks credentials, version and
 * body in the platform's order; execute-document.ts does the rest.
 */
import type { PlatformState, StoreState } from '../../state/state.ts';
import { createPointBuckets } from '../cost/bucket.ts';
import { executeDocument, type GraphqlBody } from './execute-document.ts';
import { settleDueAttempts } from './settle-due-attempts.ts';

/** The supported versions; the subset is the same in all. */
const API_VERSIONS = ['2026-07', '2026-10', 'unstable'];

type AdminRequest = {
  shop: string;
  version: string;
  /** Names are in lower case. */
  headers: Record<string, string | undefined>;
  body: string;
  /** Which mutation of the document is refused: 1 is the first. */
  refusedMutationNumber?: number;
};

/** @internal Tests call the Admin API without a server. */
export type AdminResponse = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** For the log of requests: the document, its variables and, once known, its cost in points. */
  record: { query?: string; variables?: unknown; cost?: number };
};

export type AdminApi = {
  handle(request: AdminRequest): Promise<AdminResponse>;
  /** Responds to the shop's next `count` requests with THROTTLED. */
  throttleNext(shop: string, count: number): void;
  /** Fills the buckets and clears forced throttling. */
  reset(): void;
};

export type AdminApiOptions = {
  state: () => PlatformState;
  clock: { now(): number };
  /** The platform's address, for example `http://127.0.0.1:4000`; addresses of pictures start with it. */
  origin: () => string;
};

type ExecutionInput = {
  readonly version: string;
  readonly body: GraphqlBody;
  readonly refusedMutationNumber: number | undefined;
};

/** Creates the Admin API over a state that may be replaced at any time. */
export function createAdminApi(options: AdminApiOptions): AdminApi {
  const pointBuckets = createPointBuckets();

  async function executeOperation(
    store: StoreState,
    { version, body, refusedMutationNumber }: ExecutionInput,
  ): Promise<AdminResponse> {
    const nowMs = options.clock.now();
    const { query, variables } = body;
    const requestRecord: AdminResponse['record'] = { query, variables };
    const onCost = (points: number) => {
      requestRecord.cost = points;
    };
    const [platformState, origin] = [options.state(), options.origin()];
    settleDueAttempts(store, nowMs, { mails: platformState.mails, origin });
    const context = {
      ...{ state: platformState, store, nowMs, origin, version, buckets: pointBuckets, onCost },
      shouldRefuseNextMutation: createNthCallTest(refusedMutationNumber),
    };
    const result = await executeDocument(body, context);
    return { status: 200, headers: JSON_CONTENT_TYPE, body: JSON.stringify(result), record: requestRecord };
  }

  async function handleRequest(request: AdminRequest): Promise<AdminResponse> {
    const store = options.state().stores.get(request.shop);
    const apiVersion = resolveApiVersion(request.version);
    if (store === undefined || apiVersion === undefined) return createHttpErrorResponse(404, 'Not Found');
    if (!isTokenAccepted(store, request.headers)) return createHttpErrorResponse(401, WRONG_TOKEN_MESSAGE);
    const body = parseGraphqlBody(request);
    if (body === null) return createHttpErrorResponse(400, NOT_GRAPHQL_MESSAGE);
    const adminResponse = await executeOperation(store, {
      version: apiVersion,
      body,
      refusedMutationNumber: request.refusedMutationNumber,
    });
    return { ...adminResponse, headers: { ...adminResponse.headers, 'x-shopify-api-version': apiVersion } };
  }

  return { handle: handleRequest, throttleNext: pointBuckets.throttleNext, reset: pointBuckets.reset };
}

/** Like the platform, serves an expired version with the oldest supported one, and does not serve a future version. */
function resolveApiVersion(requestedVersion: string): string | undefined {
  const [oldest = ''] = API_VERSIONS;
  if (API_VERSIONS.includes(requestedVersion)) return requestedVersion;
  return /^\d{4}-\d{2}$/.test(requestedVersion) && requestedVersion < oldest ? oldest : undefined;
}

/** Returns true at the n-th call. */
function createNthCallTest(n: number | undefined): () => boolean {
  let callCount = 0;
  return () => {
    callCount += 1;
    return callCount === n;
  };
}

const WRONG_TOKEN_MESSAGE = '[API] Invalid API key or access token (unrecognized login or wrong password)';
const NOT_GRAPHQL_MESSAGE = 'The request body is not a JSON object with a "query" string.';
const JSON_CONTENT_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Parses the request.
 * @returns null unless it is JSON with a query, as `application/json`
 */
function parseGraphqlBody({ headers, body }: AdminRequest): GraphqlBody | null {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? 'application/json')) return null;
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json !== 'object' || json === null || !('query' in json) || typeof json.query !== 'string')
      return null;
    const { query, variables, operationName } = json as GraphqlBody;
    return { query, variables, ...(operationName == null ? {} : { operationName }) };
  } catch {
    return null;
  }
}

function isTokenAccepted(store: StoreState, headers: AdminRequest['headers']): boolean {
  return headers['x-shopify-access-token'] === store.accessToken;
}

/** Creates an HTTP error, in which `errors` is a string instead of a list. */
function createHttpErrorResponse(status: number, errors: string): AdminResponse {
  return { status, headers: JSON_CONTENT_TYPE, body: JSON.stringify({ errors }), record: {} };
}
