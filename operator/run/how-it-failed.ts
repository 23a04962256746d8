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
import { TraceRefused } from '../trace/trace-refused.ts';

const REFUSAL_CODES = [
  OperatorError,
  TraceRefused,
  StoreChangeRefused,
  RotationRefused,
  ForbiddenSignInAddress,
  DiscoveryFailed,
];
/** A response was lost, or this program has a defect: an earlier write may have succeeded. */
const UNKNOWN_OUTCOME_CODES = [
  'OUTCOME_UNKNOWN',
  'TEMPORARILY_UNAVAILABLE',
  'PLATFORM_UNAVAILABLE',
  'INTERNAL_ERROR',
];

export function classifyFailure(error: unknown): CommandEnd {
  if (error instanceof ServiceError)
    return {
      outcome: UNKNOWN_OUTCOME_CODES.includes(error.code) ? 'unknown' : 'failed',
      errorCode: error.code,
    };
  const isRefused = REFUSAL_CODES.some((kind) => error instanceof kind);
  const errorCode = error instanceof Error ? error.name : 'Error';
  return { outcome: isRefused ? 'failed' : 'unknown', errorCode };
}
