/** Errors inside a mutation's payload. */

export type UserError = { __typename?: string; field: string[] | null; message: string; code: string | null };

/** Creates a user error. `field` is the path in the arguments. Types without `code` ignore the code. */
export function createUserError(
  field: string[] | null,
  message: string,
  code: string | null = null,
): UserError {
  return { field, message, code };
}

/** Creates a payload that has only this error. */
export function createUserErrorPayload(...error: Parameters<typeof createUserError>): {
  userErrors: UserError[];
} {
  return { userErrors: [createUserError(...error)] };
}

/** Whether the outcome of a change is a user error. */
export function isUserError(outcome: object): outcome is UserError {
  return 'message' in outcome && 'field' in outcome;
}
