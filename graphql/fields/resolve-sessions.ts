/**
 * Resolves `Customer.sessions`: the sessions of the acting customer, or with a store's key those of any customer of
 * the store.
 */

import { awaitAll } from '../../lib/domain/await-all.ts';
import { type CustomerId, parseCustomerId } from '../../lib/domain/customer-id.ts';
import { parseDeviceLabel } from '../../lib/domain/device-label.ts';
import { parseGid } from '../../lib/domain/gid.ts';
import { formatPlatformDate } from '../../lib/domain/instant.ts';
import { formatSessionGid } from '../../lib/domain/session-id.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { lastRefreshAtMs, readActiveSessions } from '../../lib/sign-in/sessions/visible-sessions.ts';
import type { SessionRecord } from '../../lib/storage/sessions/session-record.ts';
import { createSessionRepository } from '../../lib/storage/sessions/sessions.ts';
import type { ResolveServiceField, RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';

/** The maximum number of customers in one response whose sessions are selected: each takes a read. */
const MAX_CUSTOMERS = 25;

/**
 * Returns the sessions of each customer, FORBIDDEN for another than the acting customer, or QUERY_TOO_COMPLEX for each
 * field when the response has too many customers.
 */
export const resolveSessions: ResolveServiceField = async (context, tasks, { earlierTaskCount }) => {
  const customerIds = tasks.map(parseParentCustomerId);
  const visibleCustomerIds = new Set(
    customerIds.filter((id) => id !== undefined && areSessionsVisible(context, id)),
  );
  const customerCount = earlierTaskCount + visibleCustomerIds.size;
  if (customerCount > MAX_CUSTOMERS) return tasks.map(() => createTooManyCustomersError(customerCount));
  const sessionsByCustomer = await readSessionsByCustomer(context, [...visibleCustomerIds] as CustomerId[]);
  if (sessionsByCustomer instanceof ServiceError) return tasks.map(() => sessionsByCustomer);
  return customerIds.map(
    (id) => (id === undefined ? undefined : sessionsByCustomer.get(id)) ?? new ServiceError('FORBIDDEN'),
  );
};

function parseParentCustomerId({ parent }: ServiceTask): CustomerId | undefined {
  return parseCustomerId(parseGid(String(parent._svcCustomer))?.tail);
}

/**
 * Whether the requester may see a customer's sessions. A second check: other customers were already removed from the
 * response.
 */
function areSessionsVisible({ identity, isMerchant }: RunContext, customerId: CustomerId): boolean {
  const { actingCustomerId } = identity;
  return actingCustomerId === undefined ? isMerchant : actingCustomerId === customerId;
}

/**
 * Reads the sessions by customer. In the response to a change, an error becomes that of these fields: the change was
 * made, and the client must get the rest of the response.
 */
async function readSessionsByCustomer(
  context: RunContext,
  customerIds: readonly CustomerId[],
): Promise<ReadonlyMap<CustomerId, unknown[]> | ServiceError> {
  const { store, table, now, isAfterChange } = context;
  const sessions = createSessionRepository({ table });
  try {
    const sessionLists = await awaitAll(
      customerIds.map(async (id) => {
        const activeSessions = await readActiveSessions({ sessions, now }, store, id);
        return [id, activeSessions.map((session) => toSessionValue(context, session))] as const;
      }),
    );
    return new Map(sessionLists);
  } catch (error) {
    if (isAfterChange && error instanceof ServiceError) return error;
    throw error;
  }
}

function toSessionValue({ actor, identity }: RunContext, session: SessionRecord) {
  const { sessionId, deviceLabel, createdAtMs } = session;
  const lastUsedAtMs = lastRefreshAtMs(session);
  return {
    id: formatSessionGid(session, identity.namespaces.platform),
    deviceLabel: parseDeviceLabel(deviceLabel) ?? null,
    createdAt: formatPlatformDate(createdAtMs),
    lastUsedAt: formatPlatformDate(lastUsedAtMs),
    isCurrent: actor.kind === 'customer' && actor.session.sessionId === sessionId,
  };
}

function createTooManyCustomersError(actual: number): ServiceError {
  const message =
    `The response has ${actual} customers with "sessions", but the limit is ${MAX_CUSTOMERS}. ` +
    'Request fewer customers at a time.';
  return new ServiceError('QUERY_TOO_COMPLEX', { message });
}
