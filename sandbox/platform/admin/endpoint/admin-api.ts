/**
 * The emulated Admin API of all stores: one HTTP request in, one answer out.
 * Credentials, version and body are checked here in the platform's order; execute-document.ts does the rest.
 */
import type { PlatformState, StoreState } from '../../state/state.ts';
import { createBuckets } from '../cost/bucket.ts';
import { executeDocument, type GraphqlBody } from './execute-document.ts';
import { settleAttempts } from './settle-attempts.ts';

/** Versions that answer; the subset is the same in both. */
const apiVersions = ['2026-07', '2026-10', 'unstable'];

type AdminRequest = {
  shop: string;
  version: string;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: string;
};

/** @internal Tests ask the Admin API without a server. */
export type AdminAnswer = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The record of requests takes it: what was asked and, once known, the points it cost. */
  record: { query?: string; variables?: unknown; cost?: number };
};

export type AdminApi = {
  handle(request: AdminRequest): Promise<AdminAnswer>;
  /** The shop's next `count` requests are answered THROTTLED. */
  throttleNext(shop: string, count: number): void;
  /** Fills the buckets and forgets forced throttling. */
  reset(): void;
};

export type AdminApiOptions = {
  state: () => PlatformState;
  clock: { now(): number };
  /** The platform's address, for example `http://127.0.0.1:4000`: pictures are named below it. */
  origin: () => string;
};

/** The Admin API over a state that may be replaced at any time. */
export function createAdminApi(options: AdminApiOptions): AdminApi {
  const buckets = createBuckets();

  async function execute(store: StoreState, body: GraphqlBody): Promise<AdminAnswer> {
    const nowMs = options.clock.now();
    const { query, variables } = body;
    const record: AdminAnswer['record'] = { query, variables };
    const onCost = (points: number) => {
      record.cost = points;
    };
    settleAttempts(store, nowMs);
    const context = { state: options.state(), store, nowMs, origin: options.origin(), buckets, onCost };
    const result = await executeDocument(body, context);
    return { status: 200, headers: contentType, body: JSON.stringify(result), record };
  }

  async function handle(request: AdminRequest): Promise<AdminAnswer> {
    const store = options.state().stores.get(request.shop);
    const version = answeringVersion(request.version);
    if (store === undefined || version === undefined) return refusal(404, 'Not Found');
    if (!isAllowed(store, request.headers)) return refusal(401, wrongToken);
    const body = parseBody(request);
    if (body === null) return refusal(400, notGraphql);
    const answer = await execute(store, body);
    return { ...answer, headers: { ...answer.headers, 'x-shopify-api-version': version } };
  }

  return { handle, throttleNext: buckets.throttleNext, reset: buckets.reset };
}

/** An expired version is answered by the oldest living one, as on the platform; one that is to come, by none. */
function answeringVersion(requestedVersion: string): string | undefined {
  const [oldest = ''] = apiVersions;
  if (apiVersions.includes(requestedVersion)) return requestedVersion;
  return /^\d{4}-\d{2}$/.test(requestedVersion) && requestedVersion < oldest ? oldest : undefined;
}

const wrongToken = '[API] Invalid API key or access token (unrecognized login or wrong password)';
const notGraphql = 'The request body is not a JSON object with a "query" string.';
const contentType = { 'content-type': 'application/json; charset=utf-8' };

/** The request; null unless it is JSON with a query, as `application/json`. */
function parseBody({ headers, body }: AdminRequest): GraphqlBody | null {
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

function isAllowed(store: StoreState, headers: AdminRequest['headers']): boolean {
  return headers['x-shopify-access-token'] === store.accessToken;
}

/** Errors of HTTP carry a string, not a list. */
function refusal(status: number, errors: string): AdminAnswer {
  return { status, headers: contentType, body: JSON.stringify({ errors }), record: {} };
}
