/** For work that can be skipped when the platform or the table does not respond. */
import { ServiceError } from './service-error.ts';

/**
 * Returns the work's result. Errors other than ServiceError are thrown.
 * @returns undefined after a ServiceError
 */
export async function ifAnswered<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
