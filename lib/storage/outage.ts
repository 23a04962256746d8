/** What an AWS service's failure is: an outage, which passes, or a request of ours that was wrong, which does not. */
import { ServiceError } from '../errors/service-error.ts';

/** AWS understood what was asked and will never do it: our mistake, or a right that a deploy forgot. */
const REFUSED = new Set([
  'AccessDeniedException',
  'InvalidParameterException',
  'SerializationException',
  'ValidationException',
]);
/** Of one hot key, which a single caller may heat. */
const THROTTLED = /Throttl|LimitExceeded|ThroughputExceeded|TooManyRequests/;

/** How failures of an AWS service are told, `what` being its name for the log. */
export function outageOf(what: string) {
  /** INTERNAL_ERROR for what AWS refused; everything else is TEMPORARILY_UNAVAILABLE. */
  const unavailable = (cause: unknown): ServiceError => {
    const name = cause instanceof Error ? cause.name : '';
    if (REFUSED.has(name)) return new ServiceError('INTERNAL_ERROR', { internal: `${what}: ${name}`, cause });
    const causedBy = THROTTLED.test(name) ? 'others' : 'us';
    return new ServiceError('TEMPORARILY_UNAVAILABLE', {
      internal: `${what} did not answer`,
      causedBy,
      cause,
    });
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
