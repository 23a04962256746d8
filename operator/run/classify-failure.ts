/**
 * Classifies an error by a command's outcome: a refusal means that nothing was changed, any other error leaves the
 * outcome unknown.
 */
import { RotationRefused } from '../../lib/credentials/rotate-token-keys.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { StoreChangeRefused } from '../../lib/errors/store-change-refused.ts';
import { DiscoveryFailed } from '../../lib/platform/sign-in/discover-sign-in.ts';
import { ForbiddenSignInAddress } from '../../lib/platform/sign-in/sign-in-addresses.ts';
import { OperatorError } from '../operator-error.ts';
import type { CommandEnd } from '../trace/trace-line.ts';
import { TraceWriteError } from '../trace/trace-write-error.ts';

const ERRORS_BEFORE_ANY_WRITE = [
  OperatorError,
  TraceWriteError,
  StoreChangeRefused,
  RotationRefused,
  ForbiddenSignInAddress,
  DiscoveryFailed,
];
/** A response was lost, or this program has a defect: an earlier write may have succeeded. */
const CODES_OF_UNKNOWN_OUTCOME = [
  'OUTCOME_UNKNOWN',
  'TEMPORARILY_UNAVAILABLE',
  'PLATFORM_UNAVAILABLE',
  'INTERNAL_ERROR',
];

export function classifyFailure(error: unknown): CommandEnd {
  if (error instanceof ServiceError)
    return {
      outcome: CODES_OF_UNKNOWN_OUTCOME.includes(error.code) ? 'unknown' : 'failed',
      errorCode: error.code,
    };
  const hasChangedNothing = ERRORS_BEFORE_ANY_WRITE.some((kind) => error instanceof kind);
  const errorCode = error instanceof Error ? error.name : 'Error';
  return { outcome: hasChangedNothing ? 'failed' : 'unknown', errorCode };
}
