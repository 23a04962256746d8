/** Errors inside a mutation's payload. */

export type UserError = { __typename?: string; field: string[] | null; message: string; code: string | null };

/** One user error; `field` is the path in the arguments. Types without `code` simply never read it. */
export function createUserError(
  field: string[] | null,
  message: string,
  code: string | null = null,
): UserError {
  return { field, message, code };
}

/** A payload that carries only that error. */
export function createUserErrorPayload(...error: Parameters<typeof createUserError>): {
  userErrors: UserError[];
} {
  return { userErrors: [createUserError(...error)] };
}

/** Whether a change was refused. */
export function isUserError(outcome: object): outcome is UserError {
  return 'message' in outcome && 'field' in outcome;
}
