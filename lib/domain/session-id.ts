import type { Brand } from './brand.ts';
import { type CustomerId, parseCustomerId } from './customer-id.ts';
import { formatGid, parseGid } from './gid.ts';

/**
 * The id of one signed-in device of a customer: 16 random bytes, base64url. It is logged, so it grants no access
 * alone.
 */
export type SessionId = Brand<string, 'SessionId'>;

/** The random salt of a session, which its tokens contain, so that a leaked MAC key alone cannot create a token. */
export type SessionSalt = Brand<string, 'SessionSalt'>;

export const SESSION_ID_BYTES = 16;
export const SESSION_SALT_BYTES = 8;

const SESSION_ID = /^[A-Za-z0-9_-]{22}$/;

/** @returns undefined when the text is no session id */
function parseSessionId(text: string | undefined): SessionId | undefined {
  return text !== undefined && SESSION_ID.test(text) ? (text as SessionId) : undefined;
}

type Random = (bytes: number) => Uint8Array;

/** Creates the id of a new session. */
export function createSessionId(random: Random): SessionId {
  return Buffer.from(random(SESSION_ID_BYTES)).toString('base64url') as SessionId;
}

/** Creates the salt of a new session. */
export function createSessionSalt(random: Random): SessionSalt {
  return Buffer.from(random(SESSION_SALT_BYTES)).toString('base64url') as SessionSalt;
}

type SessionOf = { readonly customerId: CustomerId; readonly sessionId: SessionId };

/** Formats the global id of a sign-in, `gid://{namespace}/CustomerSession/{customer}.{session}`. */
export function formatSessionGid({ customerId, sessionId }: SessionOf, namespace: string): string {
  return formatGid({ namespace, type: 'CustomerSession', tail: `${customerId}.${sessionId}` });
}

/** @returns undefined when the global id, of any namespace, names no sign-in. */
export function parseSessionGid(text: string): SessionOf | undefined {
  const gid = parseGid(text);
  if (gid?.type !== 'CustomerSession') return undefined;
  const [customer = '', session, ...more] = gid.tail.split('.');
  const [customerId, sessionId] = [parseCustomerId(customer), parseSessionId(session)];
  if (customerId === undefined || sessionId === undefined || more.length > 0) return undefined;
  return { customerId, sessionId };
}
