/** Runs work that may be skipped when the platform or the table cannot be used. */
import { ServiceError } from './service-error.ts';

/**
 * Returns the result of the work. Throws errors other than ServiceError.
 * @returns undefined after a ServiceError
 */
export async function ignoreServiceError<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
