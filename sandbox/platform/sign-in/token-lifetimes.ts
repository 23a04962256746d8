/**
 * The lifetimes of the sign-in's tokens and codes, in seconds. The real platform documents an hour for access tokens,
 * and little else.
 */
export type TokenLifetimes = {
  readonly accessToken: number;
  readonly refreshToken: number;
  readonly idToken: number;
  readonly authorizationCode: number;
  /** The browser's session: how long a second sign-in shows no form. */
  readonly session: number;
  /** A code sent by e-mail. */
  readonly oneTimeCode: number;
};

const DAY_SECONDS = 86_400;

export const PLATFORM_LIFETIMES: TokenLifetimes = {
  accessToken: 3_600,
  refreshToken: 90 * DAY_SECONDS,
  idToken: 3_600,
  authorizationCode: 60,
  session: 30 * DAY_SECONDS,
  oneTimeCode: 600,
};

/** The lifetime of a sign-in across rotations of its refresh token: longer than any test runs. */
export const SIGN_IN_LIFETIME_SECONDS = 800 * DAY_SECONDS;
/** How long an unfinished sign-in waits for its customer. */
export const UNFINISHED_SIGN_IN_SECONDS = 3_600;
