/** Classifies failures of an AWS service: outages are transient, the service's own wrong requests are permanent. */
import { ServiceError } from '../../errors/service-error.ts';
import { failureOf } from './aws-call.ts';

/** Throttling errors, also of a single hot key that one caller may overload. */
const THROTTLED = /Throttl|LimitExceeded|ThroughputExceeded|TooManyRequests/;
/** AWS does not recognise the caller at the moment: expired credentials, or a wrong clock. */
const UNKNOWN_CALLER =
  /^(ExpiredToken|UnrecognizedClient|InvalidSignature|InvalidClientTokenId|MissingAuthenticationToken|Request(Expired|InTheFuture|TimeTooSkewed))/;
/** Other transient refusals: the resource is being created, restored, or used by another request. */
const TRANSIENT =
  /^(ResourceNotFound|ResourceInUse|TransactionConflict|TransactionInProgress|InvalidRequest|DecryptionFailure|EncryptionFailure|RequestTimeout)/;
/** AWS's messages about signatures quote the signed headers, including the session token. */
const QUOTES_HEADERS = /Signature|Token|Credential/i;

/** Converts failures of an AWS service; `what` is its name in the log. */
export function outageOf(what: string) {
  /** Returns INTERNAL_ERROR for a request that AWS refused as wrong; TEMPORARILY_UNAVAILABLE for everything else. */
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
    /** A part of the request was not processed, because of throttling. */
    throttled: (): ServiceError =>
      new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: `${what} is throttling` }),
    /**
     * Resolves with the response.
     * @throws the failure as an error of the catalogue
     */
    async answered<T>(sent: Promise<T>): Promise<T> {
      try {
        return await sent;
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

/**
 * AWS understood the request and will always refuse it: a programming error, or a permission that the deployment
 * lacks.
 */
function isRefused(error: unknown): boolean {
  const { name, httpStatusCode = 0 } = failureOf(error);
  const isClients = httpStatusCode >= 400 && httpStatusCode < 500 && httpStatusCode !== 429;
  return isClients && ![THROTTLED, UNKNOWN_CALLER, TRANSIENT].some((known) => known.test(name));
}
