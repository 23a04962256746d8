/** What an error tells of a command's outcome. A refusal says that it was not done; all else leaves it open. */
import { RotationRefused } from '../../lib/credentials/rotate-token-keys.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { StoreChangeRefused } from '../../lib/errors/store-change-refused.ts';
import { DiscoveryFailed } from '../../lib/platform/sign-in/discover-sign-in.ts';
import { SignInAddressRefused } from '../../lib/platform/sign-in/sign-in-addresses.ts';
import { OperatorError } from '../operator-error.ts';
import type { HowItEnded } from '../trace/trace-line.ts';
import { TraceRefused } from '../trace/trace-refused.ts';

const REFUSALS = [
  OperatorError,
  TraceRefused,
  StoreChangeRefused,
  RotationRefused,
  SignInAddressRefused,
  DiscoveryFailed,
];
/** An answer was lost, or a fault of ours: the write before it may have been made. */
const OPEN = ['OUTCOME_UNKNOWN', 'TEMPORARILY_UNAVAILABLE', 'PLATFORM_UNAVAILABLE', 'INTERNAL_ERROR'];

export function howItFailed(error: unknown): HowItEnded {
  if (error instanceof ServiceError)
    return { outcome: OPEN.includes(error.code) ? 'unknown' : 'failed', errorCode: error.code };
  const isRefused = REFUSALS.some((kind) => error instanceof kind);
  const errorCode = error instanceof Error ? error.name : 'Error';
  return { outcome: isRefused ? 'failed' : 'unknown', errorCode };
}
