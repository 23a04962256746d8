import { ServiceError } from '../errors/service-error.ts';

/** How an AWS service that does not answer is told: TEMPORARILY_UNAVAILABLE, `what` for the log. */
export function outageOf(what: string) {
  const unavailable = (cause: unknown): ServiceError =>
    new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: `${what} did not answer`, cause });
  return {
    unavailable,
    /** The answer; every failure is an outage. */
    async answered<T>(sent: Promise<T>): Promise<T> {
      try {
        return await sent;
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}
