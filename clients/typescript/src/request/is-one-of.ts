/** Compares values of enums in responses: a later service can send values that this client does not know. */
import type { Open } from '../operations/generated/shared/types.ts';

/**
 * Whether the value is one of the expected ones. A mistyped expected value does not compile, while `===` accepts any
 * string. It also narrows a text, such as that of a form: `isOneOf(country, 'US', 'CA')`.
 */
export function isOneOf<Value extends string, Expected extends Value>(
  value: Open<Value> | null | undefined,
  ...expected: readonly Expected[]
): value is Expected {
  return expected.some((expectedValue) => expectedValue === value);
}
