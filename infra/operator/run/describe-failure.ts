/** What went wrong, for the operator: a sentence that says what to do, and the exit code. */
import { RotationRefused } from '../../../lib/credentials/rotate-token-keys.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { StoreChangeRefused } from '../../../lib/errors/store-change-refused.ts';
import { visibleText } from '../../../lib/observability/visible-text.ts';
import { DiscoveryFailed } from '../../../lib/platform/sign-in/discover-sign-in.ts';
import { SignInAddressRefused } from '../../../lib/platform/sign-in/sign-in-addresses.ts';
import { failureWords } from '../../../lib/stores/checks/failure-words.ts';
import { OperatorError } from '../operator-error.ts';
import { TraceRefused } from '../trace/trace-refused.ts';

type Failure = { readonly message: string; readonly exitCode: 1 | 2 };

/** What is refused is told on one line, whatever was given or answered; a mistake of ours with where it was made. */
export function describeFailure(error: unknown): Failure {
  const known = describeKnown(error);
  if (known !== undefined) return { ...known, message: visibleText(known.message) };
  // A mistake of ours: all there is to say helps to find it.
  const words = error instanceof Error ? (error.stack ?? error.message) : `${error}`;
  return { message: `This should not have happened.\n${words}`, exitCode: 1 };
}

function describeKnown(error: unknown): Failure | undefined {
  if (error instanceof OperatorError) return { message: error.message, exitCode: error.exitCode };
  if (isRefusal(error)) return { message: error.message, exitCode: 1 };
  if (error instanceof DiscoveryFailed)
    return { message: `Not done: ${failureWords(error)} Nothing was changed.`, exitCode: 1 };
  return error instanceof ServiceError ? { message: describeServiceError(error), exitCode: 1 } : undefined;
}

function isRefusal(error: unknown): error is Error {
  return [StoreChangeRefused, RotationRefused, SignInAddressRefused, TraceRefused].some(
    (kind) => error instanceof kind,
  );
}

function describeServiceError(error: ServiceError): string {
  if (error.code === 'SHOP_NOT_INSTALLED')
    return 'The store is not installed here. See store list and store show.';
  const cause = error.cause instanceof Error ? ` (${error.cause.name}: ${error.cause.message})` : '';
  const words = `${error.internal ?? error.publicMessage}${cause}`;
  const isRefused = error.cause instanceof Error && error.cause.name === 'AccessDeniedException';
  return error.code === 'TEMPORARILY_UNAVAILABLE' || isRefused
    ? `Not done: ${words}. Check your AWS credentials and the region (of infra/definition/config.ts, or AWS_REGION), then repeat the command: that is safe.`
    : `${error.code}: ${words}`;
}
