/** The meaning of the platform's responses: one table for HTTP statuses, one for the codes inside a 200. */
import type { Brand } from '../../domain/brand.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../domain/json-object.ts';

/** A complete response, of any status. */
export type RawAdminResponse = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The version that responded: the platform replaces an expired version by a later one. */
  readonly apiVersion?: string | undefined;
  readonly body: string;
};

/** The platform's text for people, in a language of its choice. The service's own texts never have this type. */
export type PlatformText = Brand<string, 'PlatformText'>;

/** One error of a GraphQL response, limited to the fields that the service uses. */
export type PlatformError = {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
};

/** The cost of a request, and the state of the store's leaky bucket, in points. */
export type PlatformCost = {
  readonly requestedQueryCost: number;
  readonly actualQueryCost: number | null;
  readonly throttleStatus: {
    readonly maximumAvailable: number;
    readonly currentlyAvailable: number;
    readonly restoreRate: number;
  };
};

export type AdminResponse = {
  readonly data: JsonObject | null;
  readonly errors: readonly PlatformError[];
  readonly cost: PlatformCost | undefined;
  /**
   * The JSON of `data`, unparsed. It is set if the operation accepts text and the text could be cut out of the response.
   * Then `data` is an empty object, and there are no errors.
   */
  readonly dataText?: string;
};

export type AdminOutcome =
  | { readonly kind: 'answered'; readonly response: AdminResponse }
  /** The bucket has too few points; the request was certainly not run. */
  | {
      readonly kind: 'throttled';
      readonly retryAfterSeconds: number | undefined;
      readonly cost: PlatformCost | undefined;
    }
  /** The query costs more than the platform allows; it was certainly not run. */
  | { readonly kind: 'too-costly'; readonly message: string; readonly cost: PlatformCost | undefined }
  /** The platform refuses the access token; the request was certainly not run. */
  | { readonly kind: 'unauthorized' }
  /** The store is frozen, locked, deleted, or has withdrawn its access; the request was certainly not run. */
  | { readonly kind: 'disconnected' }
  /** The store has not granted the access for the whole request; it was certainly not run. */
  | { readonly kind: 'denied'; readonly errors: readonly PlatformError[] }
  /** The document or a value in it was rejected; the request was certainly not run. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly errors?: readonly PlatformError[] }
  /** No usable response: the platform may have run the request. */
  | { readonly kind: 'unavailable'; readonly retryable: boolean };

const OUTCOME_BY_STATUS: Readonly<Record<number, AdminOutcome>> = {
  400: { kind: 'rejected', reason: 'status 400' },
  401: { kind: 'unauthorized' },
  402: { kind: 'disconnected' },
  403: { kind: 'disconnected' },
  404: { kind: 'disconnected' },
  423: { kind: 'disconnected' },
  502: { kind: 'unavailable', retryable: true },
  503: { kind: 'unavailable', retryable: true },
  504: { kind: 'unavailable', retryable: true },
};

/** Parses a complete response. Every conclusion requires evidence in the body. */
export function classifyAdminResponse(rawResponse: RawAdminResponse, acceptsDataText = false): AdminOutcome {
  const splitResponse = acceptsDataText ? parseWithDataAsText(rawResponse) : undefined;
  if (splitResponse !== undefined) return { kind: 'answered', response: splitResponse };
  if (rawResponse.status === 429) {
    return {
      kind: 'throttled',
      retryAfterSeconds: parseRetryAfterSeconds(rawResponse.retryAfter),
      cost: undefined,
    };
  }
  if (rawResponse.status !== 200)
    return OUTCOME_BY_STATUS[rawResponse.status] ?? { kind: 'unavailable', retryable: false };
  const body = parseJsonObject(rawResponse.body);
  if (body === undefined) return { kind: 'unavailable', retryable: false };
  return classifyResponseBody(body);
}

const DATA_PREFIX = '{"data":';
const COST_PREFIX = ',"extensions":{"cost":';

/**
 * Splits off the data as text, without parsing it. The data must come first, the cost last, with nothing between or
 * after them. Without a backslash there is no quotation mark inside a string, so the text before and after the data
 * cannot be part of a string in the data.
 * @returns undefined when the response cannot be split
 */
function parseWithDataAsText({ status, body }: RawAdminResponse): AdminResponse | undefined {
  const dataEndIndex = body.lastIndexOf(COST_PREFIX);
  const canSplit =
    body.startsWith(`${DATA_PREFIX}{`) && body[dataEndIndex - 1] === '}' && !body.includes('\\');
  if (status !== 200 || !canSplit) return undefined;
  const bodyWithoutData = parseJsonObject(`{${body.slice(dataEndIndex + 1)}`);
  if (bodyWithoutData === undefined || Object.keys(bodyWithoutData).length > 1) return undefined;
  const cost = parsePlatformCost(bodyWithoutData.extensions);
  return cost && { data: {}, errors: [], cost, dataText: body.slice(DATA_PREFIX.length, dataEndIndex) };
}

function classifyResponseBody(body: JsonObject): AdminOutcome {
  const data = isJsonObject(body.data) ? body.data : null;
  const cost = parsePlatformCost(body.extensions);
  // HTTP errors have a string or an object here; in a 200 that is no GraphQL response.
  if (body.errors !== undefined && !Array.isArray(body.errors)) {
    return { kind: 'unavailable', retryable: false };
  }
  const errors = (body.errors ?? []) as PlatformError[];
  if (data !== null) return { kind: 'answered', response: { data, errors, cost } };
  if (errors.length === 0) return { kind: 'unavailable', retryable: false };
  const [firstError] = errors;
  switch (firstError?.extensions?.code) {
    case 'THROTTLED':
      return { kind: 'throttled', retryAfterSeconds: undefined, cost };
    case 'MAX_COST_EXCEEDED':
      return { kind: 'too-costly', message: firstError.message, cost };
    case 'SHOP_INACTIVE':
      return { kind: 'disconnected' };
  }
  if (errors.some(isPlatformFailure)) return { kind: 'unavailable', retryable: false };
  // A null that was propagated to the top has a path; without one the document itself was rejected.
  const areErrorsOfDocument = errors.every(({ path }) => path === undefined || body.data === undefined);
  if (!areErrorsOfDocument) return { kind: 'answered', response: { data, errors, cost } };
  if (errors.some(isAccessDenied)) return { kind: 'denied', errors };
  return {
    kind: 'rejected',
    reason: String(firstError?.message ?? 'unknown').slice(0, MAX_LOGGED_REASON_LENGTH),
    errors,
  };
}

const MAX_LOGGED_REASON_LENGTH = 200;
const TRANSIENT_ERROR_CODES: ReadonlySet<unknown> = new Set(['INTERNAL_SERVER_ERROR', 'TIMEOUT']);

/** Whether an error is the platform's own failure: a retry may succeed. */
export function isPlatformFailure(error: PlatformError): boolean {
  return TRANSIENT_ERROR_CODES.has(error?.extensions?.code);
}

export const ACCESS_DENIED_CODE = 'ACCESS_DENIED';

/** Whether an error means that the store has not granted the required access. */
export function isAccessDenied(error: PlatformError): boolean {
  return error?.extensions?.code === ACCESS_DENIED_CODE;
}

/** Whether no root of a mutation has run, because the store has not granted access to them. */
export function isEveryMutationRootDenied({ data, errors }: Pick<AdminResponse, 'data' | 'errors'>): boolean {
  const deniedPaths = new Set(
    errors.filter(isAccessDenied).flatMap(({ path }) => (path?.length === 1 ? path : [])),
  );
  return (
    deniedPaths.size > 0 &&
    Object.entries(data ?? {}).every(([key, value]) => value === null && deniedPaths.has(key))
  );
}

/** Whether an error means that the object does not exist. */
export function isNotFoundError(error: PlatformError): boolean {
  return error?.extensions?.code === 'RESOURCE_NOT_FOUND';
}

function parsePlatformCost(extensions: unknown): PlatformCost | undefined {
  const cost = isJsonObject(extensions) ? extensions.cost : undefined;
  if (!isJsonObject(cost) || !isJsonObject(cost.throttleStatus)) return undefined;
  const { maximumAvailable, currentlyAvailable, restoreRate } = cost.throttleStatus;
  const costNumbers = [cost.requestedQueryCost, maximumAvailable, currentlyAvailable, restoreRate];
  return costNumbers.every(Number.isFinite) ? (cost as PlatformCost) : undefined;
}

function parseRetryAfterSeconds(retryAfter: string | undefined): number | undefined {
  const seconds = Number(retryAfter);
  return retryAfter !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? Math.ceil(seconds)
    : undefined;
}
