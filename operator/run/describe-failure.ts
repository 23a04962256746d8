/** Describes a failure for the operator: a sentence that says what to do, a code and the exit code. */
import { CommanderError } from 'commander';
import { RotationRefused } from '../../lib/credentials/rotate-token-keys.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { type RefusalReason, StoreChangeRefused } from '../../lib/errors/store-change-refused.ts';
import { escapeInvisibleCharacters } from '../../lib/observability/escape-invisible-characters.ts';
import { DiscoveryFailed } from '../../lib/platform/sign-in/discover-sign-in.ts';
import { ForbiddenSignInAddress } from '../../lib/platform/sign-in/sign-in-addresses.ts';
import { errorTextOfFinding } from '../../lib/stores/checks/error-text-of-finding.ts';
import { OperatorError } from '../operator-error.ts';
import { TraceWriteError } from '../trace/trace-write-error.ts';

/** `code`: stable, for programs; docs/operators.md lists them. */
type CommandFailure = { readonly message: string; readonly code: string; readonly exitCode: 1 | 2 };

/** Describes a refusal in one line, and a defect of this program with its stack trace. */
export function describeFailure(error: unknown): CommandFailure {
  const knownFailure = describeKnownFailure(error);
  if (knownFailure !== undefined)
    return { ...knownFailure, message: escapeInvisibleCharacters(knownFailure.message) };
  // A defect: all available information helps to find it.
  const message = error instanceof Error ? (error.stack ?? error.message) : `${error}`;
  return {
    message: `The command line has a defect. Report it with this output.\n${message}`,
    code: 'INTERNAL_ERROR',
    exitCode: 1,
  };
}

function describeKnownFailure(error: unknown): CommandFailure | undefined {
  if (error instanceof OperatorError) return error;
  if (error instanceof StoreChangeRefused)
    return { message: error.message, ...FAILURE_BY_REFUSAL_KIND[error.reason] };
  if (error instanceof TraceWriteError)
    return { message: error.message, code: 'TRACE_UNAVAILABLE', exitCode: 1 };
  if (error instanceof RotationRefused || error instanceof ForbiddenSignInAddress)
    return { message: error.message, ...FAILURE_BY_REFUSAL_KIND.STATE };
  if (error instanceof DiscoveryFailed) {
    const message = `Not done: ${errorTextOfFinding(error)} Nothing was changed.`;
    return { message, code: 'PLATFORM_UNAVAILABLE', exitCode: 1 };
  }
  if (error instanceof CommanderError)
    return { message: error.message.replace(/^error: /, ''), ...FAILURE_BY_REFUSAL_KIND.INPUT };
  return error instanceof ServiceError ? describeServiceError(error) : undefined;
}

const FAILURE_BY_REFUSAL_KIND = {
  INPUT: { code: 'INVALID_COMMAND', exitCode: 2 },
  ABSENT: { code: 'NOT_FOUND', exitCode: 1 },
  STATE: { code: 'REFUSED', exitCode: 1 },
} as const satisfies Record<RefusalReason, Omit<CommandFailure, 'message'>>;

function isAwsAccessDenied({ cause }: ServiceError): boolean {
  return cause instanceof Error && cause.name === 'AccessDeniedException';
}

const TABLE_NOT_FOUND_MESSAGE =
  'Not done: AWS did not find the table or the secret. Deploy the environment first, or check --table, the credentials and the region.';

function describeServiceError(error: ServiceError): CommandFailure {
  // The command line contained a query that the service does not understand.
  if (error.code === 'GRAPHQL_VALIDATION_FAILED')
    return { message: error.internal ?? error.publicMessage, ...FAILURE_BY_REFUSAL_KIND.INPUT };
  if (error.cause instanceof Error && error.cause.name === 'ResourceNotFoundException')
    return { message: TABLE_NOT_FOUND_MESSAGE, ...FAILURE_BY_REFUSAL_KIND.ABSENT };
  return {
    message: findOperatorMessage(error),
    code: isAwsAccessDenied(error) ? 'ACCESS_DENIED' : error.code,
    exitCode: 1,
  };
}

function findOperatorMessage(error: ServiceError): string {
  if (error.code === 'SHOP_NOT_INSTALLED')
    return 'The store is not installed here. See store list and store show.';
  const causeText = error.cause instanceof Error ? ` (${error.cause.name}: ${error.cause.message})` : '';
  const message = `${error.internal ?? error.publicMessage}${causeText}`;
  return error.code === 'TEMPORARILY_UNAVAILABLE' || isAwsAccessDenied(error)
    ? `Not done: ${message}. Check your AWS credentials and the region (of infra/definition/config.ts, or AWS_REGION), then repeat the command: that is safe.`
    : `${error.code}: ${message}`;
}
