/**
 * Classifies the responses of the platform's token endpoint, with one table for the code grant and the refresh grant.
 * Only a well-formed `invalid_grant` is final (RFC 6749, section 5.2). Other errors have occurred in temporary
 * failures: a 401 with an empty error, HTML, and a 520 after which the refresh token was consumed.
 */
import { parseJsonObject } from '../../domain/json-object.ts';
import { type RawPlatformResponse, TransportError } from '../send-request.ts';

type TokenGrantKind = 'code' | 'refresh';

type TokenRequestOutcome =
  /** The platform reports that it issued tokens. */
  | 'granted'
  /** The code is permanently invalid. */
  | 'code-refused'
  /** The refresh token is permanently invalid. */
  | 'grant-dead'
  /** Nothing has changed; the request can be retried. */
  | 'transient'
  /** The refresh token may have been consumed, and its successor lost. */
  | 'uncertain';

type TokenOutcomeRule = {
  readonly matches: (tokenResponse: RawPlatformResponse | TransportError) => boolean;
  readonly code: TokenRequestOutcome;
  readonly refresh: TokenRequestOutcome;
};

/** The first matching row applies. */
const TOKEN_OUTCOME_RULES: readonly TokenOutcomeRule[] = [
  {
    matches: (tokenResponse) => isTransportError(tokenResponse) && !tokenResponse.mayHaveBeenReceived,
    code: 'transient',
    refresh: 'transient',
  },
  { matches: isTransportError, code: 'transient', refresh: 'uncertain' },
  { matches: isSuccessResponse, code: 'granted', refresh: 'granted' },
  { matches: isInvalidGrantResponse, code: 'code-refused', refresh: 'grant-dead' },
  { matches: isServerErrorResponse, code: 'transient', refresh: 'uncertain' },
  { matches: () => true, code: 'transient', refresh: 'transient' },
];

/**
 * Returns the outcome of a token request, by its response or by the error without a response. The caller parses the
 * body of a success.
 */
export function classifyTokenResponse(
  tokenResponse: RawPlatformResponse | TransportError,
  kind: TokenGrantKind,
): TokenRequestOutcome {
  return TOKEN_OUTCOME_RULES.find(({ matches }) => matches(tokenResponse))?.[kind] ?? 'transient';
}

function isTransportError(
  tokenResponse: RawPlatformResponse | TransportError,
): tokenResponse is TransportError {
  return tokenResponse instanceof TransportError;
}

function isSuccessResponse(tokenResponse: RawPlatformResponse | TransportError): boolean {
  return !isTransportError(tokenResponse) && tokenResponse.status >= 200 && tokenResponse.status < 300;
}

function isServerErrorResponse(tokenResponse: RawPlatformResponse | TransportError): boolean {
  return !isTransportError(tokenResponse) && tokenResponse.status >= 500;
}

function isInvalidGrantResponse(tokenResponse: RawPlatformResponse | TransportError): boolean {
  return (
    !isTransportError(tokenResponse) &&
    tokenResponse.status === 400 &&
    parseJsonObject(tokenResponse.body)?.error === 'invalid_grant'
  );
}
