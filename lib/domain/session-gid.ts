/** The global id of a customer's sign-in, `gid://{namespace}/CustomerSession/{customer}.{session}`. */
import { type CustomerId, parseCustomerId } from './customer-id.ts';
import { formatGid, parseGid } from './gid.ts';
import { parseSessionId, type SessionId } from './session-id.ts';

type SessionOf = { readonly customerId: CustomerId; readonly sessionId: SessionId };

/** The id of a sign-in, as clients see it once it is in their namespace. */
export function formatSessionGid({ customerId, sessionId }: SessionOf, namespace: string): string {
  return formatGid({ namespace, type: 'CustomerSession', tail: `${customerId}.${sessionId}` });
}

/** The sign-in that a global id of any namespace names; undefined if it names none. */
export function parseSessionGid(text: string): SessionOf | undefined {
  const gid = parseGid(text);
  if (gid?.type !== 'CustomerSession') return undefined;
  const [customer = '', session, ...more] = gid.tail.split('.');
  const [customerId, sessionId] = [parseCustomerId(customer), parseSessionId(session)];
  if (customerId === undefined || sessionId === undefined || more.length > 0) return undefined;
  return { customerId, sessionId };
}
