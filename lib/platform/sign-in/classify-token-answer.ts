/**
 * Classifies the responses of the platform's token endpoint, with one table for the code grant and the refresh grant.
 * Only a well-formed `invalid_grant` is final (RFC 6749, section 5.2). Other errors have occurred in temporary
 * failures: a 401 with an empty error, HTML, and a 520 after which the refresh token was consumed.
 */
import { parseJsonObject } from '../../domain/json-object.ts';
import { type RawAnswer, TransportError } from '../send-request.ts';

type GrantKind = 'code' | 'refresh';

type TokenOutcome =
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

type OutcomeRule = {
  readonly when: (answer: RawAnswer | TransportError) => boolean;
  readonly code: TokenOutcome;
  readonly refresh: TokenOutcome;
};

/** The first matching row applies. */
const OUTCOME_RULES: readonly OutcomeRule[] = [
  { when: (answer) => isTransportError(answer) && !answer.sent, code: 'transient', refresh: 'transient' },
  { when: isTransportError, code: 'transient', refresh: 'uncertain' },
  { when: isSuccess, code: 'granted', refresh: 'granted' },
  { when: isInvalidGrant, code: 'code-refused', refresh: 'grant-dead' },
  { when: isServerError, code: 'transient', refresh: 'uncertain' },
  { when: () => true, code: 'transient', refresh: 'transient' },
];

/**
 * Returns the outcome of a token request, by its response or by the error without a response. The caller parses the
 * body of a success.
 */
export function classifyTokenAnswer(answer: RawAnswer | TransportError, kind: GrantKind): TokenOutcome {
  return OUTCOME_RULES.find(({ when }) => when(answer))?.[kind] ?? 'transient';
}

function isTransportError(answer: RawAnswer | TransportError): answer is TransportError {
  return answer instanceof TransportError;
}

function isSuccess(answer: RawAnswer | TransportError): boolean {
  return !isTransportError(answer) && answer.status >= 200 && answer.status < 300;
}

function isServerError(answer: RawAnswer | TransportError): boolean {
  return !isTransportError(answer) && answer.status >= 500;
}

function isInvalidGrant(answer: RawAnswer | TransportError): boolean {
  return (
    !isTransportError(answer) &&
    answer.status === 400 &&
    parseJsonObject(answer.body)?.error === 'invalid_grant'
  );
}
