import { ServiceError } from '../../errors/service-error.ts';
import { DiscoveryFailed } from '../../platform/sign-in/discover-sign-in.ts';

/** What a failed call is worth in a finding: its own words. */
export function failureWords(error: unknown): string {
  if (error instanceof DiscoveryFailed) return `${error.message}. ${error.mend}`;
  if (error instanceof ServiceError) return `${error.code}: ${error.internal ?? error.publicMessage}`;
  return error instanceof Error ? error.message : 'unknown';
}
