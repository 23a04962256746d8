/** Values of enums in responses: a later service can send values that this client does not know. */

/** A known value, which editors suggest, or another one, which an app shows as it is. */
export type Open<Value extends string> = Value | (string & {});

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
