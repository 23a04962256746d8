/**
 * All error codes that a client can receive. Each has its HTTP status, its public message, whether a retry can help,
 * what an app does about it, and who causes it. Types, response bodies, the page about errors and the alarms of
 * deployments are derived from this table.
 */

/**
 * Who causes an error. `caller`: the request. `others`: the store, the platform or a concurrent request, so a caller
 * may be able to provoke it. `us`: the service; no caller can provoke it, so only these errors roll back a deployment
 * (docs/decisions/0135).
 */
export type CausedBy = 'caller' | 'others' | 'us';
/** What an app does about an error: the schema's enum ErrorAdvice. The clients' types are generated from the table. */
export type ErrorAdvice = 'RELOAD' | 'RETRY' | 'CHOOSE_ANOTHER' | 'SIGN_IN' | 'CONTACT_SUPPORT';
type CatalogueEntry = {
  readonly status: number;
  readonly message: string;
  readonly retryable: boolean;
  readonly causedBy: CausedBy;
  readonly advice: ErrorAdvice;
};

/** Errors with the advice RETRY are retryable: nothing was changed, and the same request can succeed later. */
const createCatalogueEntryBuilder =
  (advice: ErrorAdvice, causedBy: CausedBy, isRetryable = advice === 'RETRY') =>
  (status: number, message: string): CatalogueEntry => ({
    ...{ status, message, causedBy, advice },
    retryable: isRetryable,
  });
/** A retry fails in the same way until a developer corrects the app, or an operator the store's settings. */
const permanentError = createCatalogueEntryBuilder('CONTACT_SUPPORT', 'caller');
const signInError = createCatalogueEntryBuilder('SIGN_IN', 'caller');
const retryableError = createCatalogueEntryBuilder('RETRY', 'caller');
const transientError = createCatalogueEntryBuilder('RETRY', 'others');

export const errorCatalogue = {
  // Errors of every endpoint.
  NOT_FROM_EDGE: permanentError(
    403,
    'This address is not for clients. Use the public address of the service.',
  ),
  ORIGIN_NOT_ALLOWED: permanentError(403, 'The origin of this page is not entered for the store.'),
  NOT_FOUND: permanentError(404, 'Nothing was found at this address. Check the path.'),
  METHOD_NOT_ALLOWED: permanentError(405, 'This address does not accept this method. See the Allow header.'),
  PAYLOAD_TOO_LARGE: permanentError(413, 'The request body is too large.'),
  UNSUPPORTED_MEDIA_TYPE: permanentError(415, 'Send the body as JSON, with Content-Type: application/json.'),
  INVALID_JSON: permanentError(400, 'The body must be a JSON object.'),
  // The cause is `us` when the table or a secret cannot be read (lib/storage/aws-client/aws-error-converters.ts).
  TEMPORARILY_UNAVAILABLE: transientError(
    503,
    'The service is temporarily unavailable. Nothing is lost: try again.',
  ),
  INTERNAL_ERROR: createCatalogueEntryBuilder(
    'RELOAD',
    'us',
    true,
  )(500, 'Something went wrong on our side. Quote the request id when you report it.'),

  // Errors of the sign-in.
  MISSING_SHOP: permanentError(400, 'The field "shop" is required: the domain of the store.'),
  MISSING_PARAMETERS: permanentError(
    400,
    'A required field is missing, empty, too long or of the wrong type.',
  ),
  INVALID_SHOP: permanentError(400, 'The field "shop" is not the domain of a store.'),
  INVALID_REDIRECT_URI: permanentError(
    400,
    'The field "redirectUri" is not a page that the store has entered for the sign-in.',
  ),
  INVALID_NONCE: signInError(
    400,
    'This sign-in is unknown, has expired or was already used. Start the sign-in again.',
  ),
  SIGN_IN_REJECTED: signInError(400, 'The platform did not accept this sign-in. Start the sign-in again.'),
  SHOP_NOT_INSTALLED: permanentError(401, 'The service is not installed on this store.'),
  CLIENT_ID_NOT_CONFIGURED: permanentError(401, 'Customer sign-in is not set up for this store.'),
  STOREFRONT_TOKEN_UNAVAILABLE: createCatalogueEntryBuilder('CONTACT_SUPPORT', 'others')(
    503,
    'The store has no storefront token for apps. Contact the store for details.',
  ),
  INVALID_REFRESH_TOKEN: signInError(
    401,
    'The refresh token is no longer valid. Sign the customer in again.',
  ),
  TOKEN_NOT_FOUND: signInError(404, 'No sign-in is stored for this customer. Sign the customer in.'),
  THROTTLED: retryableError(429, 'Too many requests. Wait as long as Retry-After says, then try again.'),

  // Errors of one-time links.
  WRONG_STORE_DOMAIN: createCatalogueEntryBuilder('CHOOSE_ANOTHER', 'caller')(
    403,
    'This link is not for a store with that domain. Enter the domain of the store that the link was created for.',
  ),
  LINK_GONE: permanentError(410, 'This link can no longer be opened. Ask for a new one.'),

  // Errors of GraphQL.
  UNAUTHENTICATED: signInError(401, 'Authentication required'),
  INVALID_CUSTOMER_GID: permanentError(
    400,
    'The header X-Platform-Customer-GID must be a customer id such as gid://platform/Customer/123.',
  ),
  GRAPHQL_PARSE_FAILED: permanentError(400, 'The document is not valid GraphQL.'),
  GRAPHQL_VALIDATION_FAILED: permanentError(400, 'The document does not match the schema.'),
  FIELD_NOT_AVAILABLE: permanentError(200, 'This field is not available to customer accounts'),
  QUERY_TOO_COMPLEX: permanentError(200, 'The query is too complex.'),
  KEY_SCOPE_MISSING: permanentError(200, 'This key lacks a scope that the request needs.'),
  FORBIDDEN: permanentError(200, 'This is not available.'),
  CUSTOMER_REQUIRED: permanentError(200, 'This operation needs the header X-Platform-Customer-GID.'),
  PLATFORM_UNAVAILABLE: transientError(503, 'The commerce platform is not responding. Try again.'),
  STORE_DISCONNECTED: createCatalogueEntryBuilder('CONTACT_SUPPORT', 'others')(
    503,
    'The store has withdrawn its access. The merchant must connect it again.',
  ),
  // Nothing was changed. Only merchants get a message that names the missing access
  // (lib/platform/admin-api/missing-access.ts).
  STORE_ACCESS_MISSING: createCatalogueEntryBuilder('CONTACT_SUPPORT', 'others')(
    503,
    'The store does not offer this at the moment. Contact the store for details.',
  ),
  OUTCOME_UNKNOWN: createCatalogueEntryBuilder('RELOAD', 'caller')(
    200,
    'The response was lost, but the change may have been made. Check before you try again.',
  ),
  // Errors of `@idempotent`.
  IDEMPOTENCY_CONCURRENT_REQUEST: retryableError(
    200,
    'The first request with this key is still running, or its outcome is not known yet. Try again with the same key.',
  ),
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH: permanentError(
    200,
    'This key was used with other arguments within the last 24 hours. Use a new key for each change.',
  ),
  NOT_RUN: permanentError(200, 'This operation was not run because an earlier operation did not finish.'),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Whether a response with this code has the header `Retry-After`. */
export function hasRetryAfter(code: ErrorCode): boolean {
  const { status, retryable: isRetryable } = errorCatalogue[code];
  return isRetryable && (status === 429 || status === 503);
}
