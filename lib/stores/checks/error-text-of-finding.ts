import { ServiceError } from '../../errors/service-error.ts';
import { DiscoveryFailed } from '../../platform/sign-in/discover-sign-in.ts';

/** Returns the text of an error for a finding. */
export function errorTextOfFinding(error: unknown): string {
  if (error instanceof DiscoveryFailed) return `${error.message}. ${error.fix}`;
  if (error instanceof ServiceError) return `${error.code}: ${error.internal ?? error.publicMessage}`;
  return error instanceof Error ? error.message : 'unknown';
}
