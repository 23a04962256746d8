/** How long what the sign-in hands out lives, in seconds. The real platform publishes an hour, and little else. */
export type TokenLifetimes = {
  readonly accessToken: number;
  readonly refreshToken: number;
  readonly idToken: number;
  readonly authorizationCode: number;
  /** The browser's session: how long a second sign-in shows no form. */
  readonly session: number;
  /** An e-mailed code. */
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

/** A whole sign-in, however often its refresh token is rotated: longer than anybody keeps one. */
export const grantSeconds = 800 * DAY;
/** How long a half-finished sign-in waits for its customer. */
export const interactionSeconds = 3_600;
