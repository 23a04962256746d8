/** Tells apart the failures of an AWS service: an outage passes, a wrong request of ours does not. */
import { ServiceError } from '../errors/service-error.ts';
import { failureOf } from './aws-call.ts';

/** Errors of throttling: of one hot key, which a single caller may heat. */
const THROTTLED = /Throttl|LimitExceeded|ThroughputExceeded|TooManyRequests/;
/** AWS does not know us just now: credentials that expired, a clock that is wrong. */
const UNKNOWN_CALLER =
  /^(ExpiredToken|UnrecognizedClient|InvalidSignature|InvalidClientTokenId|MissingAuthenticationToken|Request(Expired|InTheFuture|TimeTooSkewed))/;
/** Other refusals that pass: what is being made, restored, or used by another request. */
const PASSING =
  /^(ResourceNotFound|ResourceInUse|TransactionConflict|TransactionInProgress|InvalidRequest|DecryptionFailure|EncryptionFailure|RequestTimeout)/;
/** AWS's messages about signatures quote the headers that were signed, the session's token among them. */
const QUOTES_HEADERS = /Signature|Token|Credential/i;

/** How failures of an AWS service are told, `what` being its name for the log. */
export function outageOf(what: string) {
  /** INTERNAL_ERROR for what AWS refused as wrong, known or not; everything else is TEMPORARILY_UNAVAILABLE. */
  const unavailable = (error: unknown): ServiceError => {
    const { name, requestId } = failureOf(error);
    const cause = QUOTES_HEADERS.test(name) ? new Error(name) : error;
    if (isRefused(error)) {
      const request = requestId === undefined ? '' : ` (AWS request ${requestId})`;
      return new ServiceError('INTERNAL_ERROR', { internal: `${what}: ${name}${request}`, cause });
    }
    const causedBy = THROTTLED.test(name) ? 'others' : 'us';
    const internal = `${what} did not answer`;
    return new ServiceError('TEMPORARILY_UNAVAILABLE', { internal, causedBy, cause });
  };
  return {
    unavailable,
    /** A part of what was asked was not done, for the sake of the others. */
    throttled: (): ServiceError =>
      new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: `${what} is throttling` }),
    /** The answer, or the failure as an error of the catalogue. */
    async answered<T>(sent: Promise<T>): Promise<T> {
      try {
        return await sent;
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

/** AWS understood what was asked and will never do it: our mistake, or a right that a deploy forgot. */
function isRefused(error: unknown): boolean {
  const { name, httpStatusCode = 0 } = failureOf(error);
  const isClients = httpStatusCode >= 400 && httpStatusCode < 500 && httpStatusCode !== 429;
  return isClients && ![THROTTLED, UNKNOWN_CALLER, PASSING].some((known) => known.test(name));
}
