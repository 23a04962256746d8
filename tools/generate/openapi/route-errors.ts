/**
 * The error codes of each route. The tests of the handlers compare every response with docs/openapi.json
 * (tests/functions/documented-answers.ts).
 */
import { type ErrorCode, errorCatalogue } from '../../../lib/errors/catalogue.ts';

export type RouteErrors = {
  /** The errors that have their own status. */
  readonly errors: readonly ErrorCode[];
  /** The errors of a GraphQL response, which has the status 200. */
  readonly errorsWith200?: readonly ErrorCode[];
};

/**
 * Splits a list of codes.
 * @throws Error for a code that the catalogue lacks
 */
function parseErrorCodes(text: string): ErrorCode[] {
  const isCode = (code: string): code is ErrorCode => code in errorCatalogue;
  return text.split(' ').map((code) => {
    if (isCode(code)) return code;
    throw new Error(`${code} is no code of lib/errors/catalogue.ts.`);
  });
}

const EVERY_ROUTE_CODES = 'NOT_FROM_EDGE METHOD_NOT_ALLOWED THROTTLED INTERNAL_ERROR';
const BODY_ROUTE_CODES = `${EVERY_ROUTE_CODES} PAYLOAD_TOO_LARGE UNSUPPORTED_MEDIA_TYPE`;
const SIGN_IN_CODES = `${BODY_ROUTE_CODES} ORIGIN_NOT_ALLOWED INVALID_JSON MISSING_SHOP INVALID_SHOP SHOP_NOT_INSTALLED TEMPORARILY_UNAVAILABLE`;
const START_CODES = `${SIGN_IN_CODES} MISSING_PARAMETERS CLIENT_ID_NOT_CONFIGURED`;
const TOKEN_ROUTE_CODES = `${SIGN_IN_CODES} MISSING_PARAMETERS INVALID_REFRESH_TOKEN TOKEN_NOT_FOUND`;
const GRAPHQL_CODES = `${BODY_ROUTE_CODES} INVALID_JSON GRAPHQL_PARSE_FAILED UNAUTHENTICATED PLATFORM_UNAVAILABLE STORE_DISCONNECTED TEMPORARILY_UNAVAILABLE`;
const GRAPHQL_200_CODES =
  'FORBIDDEN GRAPHQL_PARSE_FAILED GRAPHQL_VALIDATION_FAILED QUERY_TOO_COMPLEX IDEMPOTENCY_CONCURRENT_REQUEST IDEMPOTENCY_KEY_PARAMETER_MISMATCH OUTCOME_UNKNOWN PLATFORM_UNAVAILABLE';

/** The errors of each route, by method and path. */
export const routeErrors: Readonly<Record<string, RouteErrors>> = {
  'POST /headless-auth/start': { errors: parseErrorCodes(`${START_CODES} INVALID_REDIRECT_URI`) },
  'POST /headless-auth/exchange': {
    errors: parseErrorCodes(`${START_CODES} INVALID_NONCE SIGN_IN_REJECTED`),
  },
  'POST /headless-auth/refresh': { errors: parseErrorCodes(TOKEN_ROUTE_CODES) },
  'DELETE /headless-auth/revoke': { errors: parseErrorCodes(TOKEN_ROUTE_CODES) },
  'POST /headless-auth/storefront-token': {
    errors: parseErrorCodes(`${SIGN_IN_CODES} STOREFRONT_TOKEN_UNAVAILABLE`),
  },
  'POST /api/storefront/unstable/graphql.json': {
    errors: parseErrorCodes(`${GRAPHQL_CODES} ORIGIN_NOT_ALLOWED STORE_ACCESS_MISSING`),
    errorsWith200: parseErrorCodes(`${GRAPHQL_200_CODES} FIELD_NOT_AVAILABLE`),
  },
  'POST /api/admin/unstable/graphql.json': {
    errors: parseErrorCodes(`${GRAPHQL_CODES} INVALID_CUSTOMER_GID`),
    errorsWith200: parseErrorCodes(
      `${GRAPHQL_200_CODES} CUSTOMER_REQUIRED KEY_SCOPE_MISSING NOT_RUN STORE_ACCESS_MISSING`,
    ),
  },
  'POST /admin-keys/claim/{linkId}': {
    errors: parseErrorCodes(
      `${BODY_ROUTE_CODES} MISSING_PARAMETERS INVALID_SHOP WRONG_STORE_DOMAIN NOT_FOUND LINK_GONE`,
    ),
  },
  'GET /healthz': { errors: parseErrorCodes(EVERY_ROUTE_CODES) },
};
