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

const DAY = 86_400;

export const platformLifetimes: TokenLifetimes = {
  accessToken: 3_600,
  refreshToken: 90 * DAY,
  idToken: 3_600,
  authorizationCode: 60,
  session: 30 * DAY,
  oneTimeCode: 600,
};

/** The lifetime of a sign-in across rotations of its refresh token: longer than any test runs. */
export const grantSeconds = 800 * DAY;
/** How long an unfinished sign-in waits for its customer. */
export const interactionSeconds = 3_600;
