/** A mutation of the service's own: what its document's compilation has to know of it, and what performs it. */
import type { OperationRequest } from '../../lib/subscriptions/operation.ts';
import type { OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import type { RunContext } from './run-context.ts';

export type ServiceMutation = {
  /** The payload's fields that hold objects of the platform, for example `contract`. */
  readonly objectFields: readonly string[];
  /** Does the work. Bad input is among the outcome's user errors; ServiceError: it failed, or nobody knows. */
  perform?(context: RunContext, request: OperationRequest): Promise<OperationOutcome>;
  /** Whether it writes intents: the timeline tells what came of it. */
  readonly isRecorded?: boolean;
  /** The fields of the payload, answered here, that a repeat under the same key is told again. Never a secret. */
  readonly storedFields?: readonly string[];
  /** Whether what it does depends on the customer's sign-in that asks for it: another's is another request. */
  readonly isOfSignIn?: boolean;
};
