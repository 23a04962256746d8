/** For work that may be left out where the platform or the table does not answer. */
import { ServiceError } from './service-error.ts';

/** What the work brings; undefined after a ServiceError. A fault of ours is thrown. */
export async function ifAnswered<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
