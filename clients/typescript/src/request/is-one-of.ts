/** Compares values of enums in responses: a later service can send values that this client does not know. */
import type { Open } from '../operations/generated/shared/types.ts';

/**
 * Whether the value is one of the expected ones. A mistyped expected value does not compile, while `===` accepts any
 * string.
 */
export function isOneOf<Value extends string>(
  value: Open<Value> | null | undefined,
  ...expected: readonly NoInfer<Value>[]
): value is Value {
  return expected.some((one) => one === value);
}
