import type { Brand } from './brand.ts';
import { type CustomerId, parseCustomerId } from './customer-id.ts';
import { formatGid, parseGid } from './gid.ts';

/**
 * The id of a customer's sign-in on one device: 16 random bytes, base64url. It may be logged, because it alone gives no
 * access.
 */
export type SessionId = Brand<string, 'SessionId'>;

/**
 * A random value of a session that its tokens contain. Without it, a leaked MAC key would be enough to create tokens.
 */
export type SessionSalt = Brand<string, 'SessionSalt'>;

export const SESSION_ID_BYTES = 16;
export const SESSION_SALT_BYTES = 8;

const SESSION_ID_PATTERN = /^[A-Za-z0-9_-]{22}$/;

/** @returns undefined when the text is not a session id */
function parseSessionId(text: string | undefined): SessionId | undefined {
  return text !== undefined && SESSION_ID_PATTERN.test(text) ? (text as SessionId) : undefined;
}

type RandomBytes = (bytes: number) => Uint8Array;

/** Creates the id of a new session. `random` returns the requested number of random bytes. */
export function createSessionId(random: RandomBytes): SessionId {
  return Buffer.from(random(SESSION_ID_BYTES)).toString('base64url') as SessionId;
}

/** Creates the salt of a new session. `random` returns the requested number of random bytes. */
export function createSessionSalt(random: RandomBytes): SessionSalt {
  return Buffer.from(random(SESSION_SALT_BYTES)).toString('base64url') as SessionSalt;
}

type SessionGidParts = { readonly customerId: CustomerId; readonly sessionId: SessionId };

/** Returns the global id of a sign-in: `gid://{namespace}/CustomerSession/{customer}.{session}`. */
export function formatSessionGid({ customerId, sessionId }: SessionGidParts, namespace: string): string {
  return formatGid({ namespace, type: 'CustomerSession', tail: `${customerId}.${sessionId}` });
}

/**
 * Parses the global id of a sign-in, whatever its namespace.
 * @returns undefined when the text is not such an id
 */
export function parseSessionGid(text: string): SessionGidParts | undefined {
  const gid = parseGid(text);
  if (gid?.type !== 'CustomerSession') return undefined;
  const [customer = '', session, ...more] = gid.tail.split('.');
  const [customerId, sessionId] = [parseCustomerId(customer), parseSessionId(session)];
  if (customerId === undefined || sessionId === undefined || more.length > 0) return undefined;
  return { customerId, sessionId };
}
