/**
 * Converts failures of an AWS service to errors of the catalogue: outages are transient, while wrong requests of the
 * service itself are permanent.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { awsFailureFactsOf } from './aws-call.ts';

/** Error codes of throttling. A single hot key, which one client may overload, is also throttled. */
const THROTTLING_ERROR_CODE_PATTERN = /Throttl|LimitExceeded|ThroughputExceeded|TooManyRequests/;
/** Error codes of AWS not accepting the credentials now, because they have expired or the clock is wrong. */
const REJECTED_CREDENTIALS_ERROR_CODE_PATTERN =
  /^(ExpiredToken|UnrecognizedClient|InvalidSignature|InvalidClientTokenId|MissingAuthenticationToken|Request(Expired|InTheFuture|TimeTooSkewed))/;
/** Error codes of other transient failures: the resource is being created or restored, or another request uses it. */
const TRANSIENT_ERROR_CODE_PATTERN =
  /^(ResourceNotFound|ResourceInUse|TransactionConflict|TransactionInProgress|InvalidRequest|DecryptionFailure|EncryptionFailure|RequestTimeout)/;
/** Error codes whose messages quote the signed headers, including the session token. */
const HEADER_QUOTING_ERROR_CODE_PATTERN = /Signature|Token|Credential/i;

/** Returns the converters for an AWS service. `serviceName` is the name of the service in the log. */
export function createAwsErrorConverters(serviceName: string) {
  /**
   * Returns INTERNAL_ERROR for a request that AWS rejected as wrong, and TEMPORARILY_UNAVAILABLE for everything else.
   */
  const toServiceError = (error: unknown): ServiceError => {
    const { name, requestId } = awsFailureFactsOf(error);
    const safeCause = HEADER_QUOTING_ERROR_CODE_PATTERN.test(name) ? new Error(name) : error;
    if (isPermanentRejection(error)) {
      const request = requestId === undefined ? '' : ` (AWS request ${requestId})`;
      return new ServiceError('INTERNAL_ERROR', {
        internal: `${serviceName}: ${name}${request}`,
        cause: safeCause,
      });
    }
    const causedBy = THROTTLING_ERROR_CODE_PATTERN.test(name) ? 'others' : 'us';
    const internal = `${serviceName} did not answer`;
    return new ServiceError('TEMPORARILY_UNAVAILABLE', { internal, causedBy, cause: safeCause });
  };
  return {
    toServiceError,
    /** Returns the error for a request of which AWS processed only a part, because of throttling. */
    createThrottledError: (): ServiceError =>
      new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: `${serviceName} is throttling` }),
    /**
     * Waits for the response.
     * @throws ServiceError when the call failed
     */
    withConvertedErrors: <T>(callPromise: Promise<T>): Promise<T> =>
      callPromise.catch((error: unknown) => {
        throw toServiceError(error);
      }),
  };
}

/** Whether AWS will always reject the request: it is wrong, or the deployment lacks a permission. */
function isPermanentRejection(error: unknown): boolean {
  const { name, httpStatusCode = 0 } = awsFailureFactsOf(error);
  const isClientError = httpStatusCode >= 400 && httpStatusCode < 500 && httpStatusCode !== 429;
  return (
    isClientError &&
    ![
      THROTTLING_ERROR_CODE_PATTERN,
      REJECTED_CREDENTIALS_ERROR_CODE_PATTERN,
      TRANSIENT_ERROR_CODE_PATTERN,
    ].some((pattern) => pattern.test(name))
  );
}
