import type { PlatformError } from '../platform/admin-api/admin-answer.ts';

/** One entry of `userErrors`: why a change was not made. `field` is the path in the client's own arguments. */
export type OperationError = {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code: string;
};

/** One entry of `userErrors` in a payload of the platform. */
export type PlatformUserError = {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code: string | null;
};

/** An operation answers the changed object in the client's selection, or says why there is none. */
export type OperationOutcome = {
  /** The answer by the response keys of the selection; null: nothing was changed. */
  readonly answered: Readonly<Record<string, unknown>> | null;
  readonly userErrors: readonly OperationError[];
  /** The platform's errors below the answered object; their paths begin with its response key. */
  readonly errors: readonly PlatformError[];
  /** Fields of the payload that are answered here, by name: plain values of the schema's shape. */
  readonly locals?: Readonly<Record<string, unknown>>;
  /** The answered object's id by its field of the payload, where the arguments do not name it. */
  readonly ids?: Readonly<Record<string, string>>;
};

/** Nothing was changed, and why. */
export function refusedWith(
  userErrors: readonly OperationError[],
  locals?: OperationOutcome['locals'],
): OperationOutcome {
  return { answered: null, userErrors, errors: [], ...(locals && { locals }) };
}
