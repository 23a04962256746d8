import type { Brand } from './brand.ts';

/**
 * The id of one signed-in device of a customer: 16 random bytes, base64url. It is logged, so it opens nothing alone.
 */
export type SessionId = Brand<string, 'SessionId'>;

/** The salt of a session is random and repeated by its tokens, so that a leaked MAC key alone makes no token. */
export type SessionSalt = Brand<string, 'SessionSalt'>;

export const SESSION_ID_BYTES = 16;
export const SESSION_SALT_BYTES = 8;

const SESSION_ID = /^[A-Za-z0-9_-]{22}$/;

/** The id of a session, or undefined if the text has not the form of one. */
export function parseSessionId(text: string | undefined): SessionId | undefined {
  return text !== undefined && SESSION_ID.test(text) ? (text as SessionId) : undefined;
}

type Random = (bytes: number) => Uint8Array;

/** A new session's id. */
export function createSessionId(random: Random): SessionId {
  return Buffer.from(random(SESSION_ID_BYTES)).toString('base64url') as SessionId;
}

/** A new session's salt. */
export function createSessionSalt(random: Random): SessionSalt {
  return Buffer.from(random(SESSION_SALT_BYTES)).toString('base64url') as SessionSalt;
}
