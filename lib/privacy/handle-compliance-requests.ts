/**
 * Handles the platform's compliance requests: to erase a customer, to export a customer's data, and to erase a store
 * that has removed the app. Also works for stores that are not installed, because the requests come days after an
 * uninstallation.
 */
import { parseCustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Logger } from '../observability/logger.ts';
import type { Inbox, InboxItem } from '../storage/inbox/inbox.ts';
import { openDataRequest } from './data-requests.ts';
import { type EraseCustomerDeps, eraseCustomer } from './erase-customer.ts';

type Deps = Omit<EraseCustomerDeps, 'logger'> & {
  readonly inbox: Pick<Inbox, 'list' | 'remove'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
};
type ComplianceTimeSlice = {
  readonly shopId: ShopId;
  readonly endAtMs: number;
  readonly signal: AbortSignal;
};

/**
 * Handles the compliance requests in a store's inbox until `endAtMs` (epoch milliseconds).
 * @returns when to run again, undefined when no request is left
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function handleComplianceRequests(
  deps: Deps,
  timeSlice: ComplianceTimeSlice,
): Promise<number | undefined> {
  const { shopId, endAtMs, signal } = timeSlice;
  const inboxItems: InboxItem[] = [];
  for await (const item of deps.inbox.list(shopId)) if (isComplianceRequest(item)) inboxItems.push(item);
  // Record data requests first, because an erasure removes data that is to be exported.
  for (const item of inboxItems.sort(compareDataRequestsFirst)) {
    if (signal.aborted || deps.now() >= endAtMs) return deps.now();
    await handleComplianceRequest(deps, shopId, item);
    await deps.inbox.remove(shopId, item);
  }
  return undefined;
}

function compareDataRequestsFirst(one: InboxItem, other: InboxItem): number {
  return Number(other.topicGroup === 'data-request') - Number(one.topicGroup === 'data-request');
}

function isComplianceRequest({ topicGroup }: InboxItem): boolean {
  return topicGroup === 'customer-redact' || topicGroup === 'data-request' || topicGroup === 'shop-redact';
}

async function handleComplianceRequest(deps: Deps, shopId: ShopId, item: InboxItem): Promise<void> {
  const request = { shopId, askedBy: 'platform' } as const;
  if (item.topicGroup === 'shop-redact') {
    // Only record the request: an operator then runs `store purge`, which checks whether the store was installed again.
    await openDataRequest(deps, { kind: 'store redact', id: 'SHOP', ...request });
    return;
  }
  const customerId = parseCustomerId(item.customerId);
  if (customerId === undefined) return;
  if (item.topicGroup === 'data-request') {
    const dataRequestId = item.object;
    const closedAtMs = await deps.complianceRequests.findClosedAtMs({ shopId, id: dataRequestId });
    // The signature covers the id, so an operator has already closed this request, and the webhook is late or a
    // duplicate.
    if (closedAtMs !== undefined)
      deps.logger.info('data_request.redelivered', { shopId, dataRequestId, closedAtMs });
    else await openDataRequest(deps, { kind: 'data request', id: dataRequestId, customerId, ...request });
    return;
  }
  const subjectHash = await deps.tombstones.hashOf({ shopId, customerId });
  const tombstone = await deps.tombstones.find(subjectHash);
  await eraseCustomer(deps, { shopId, customerId }, 'platform');
  // A new erasure request cannot be distinguished from one that arrived a second time. Erase in both cases, and warn,
  // so that an operator can check.
  if (tombstone?.liftedAtMs !== undefined)
    deps.logger.warn('customer.erased_after_new_sign_in', {
      ...subjectHash,
      signedInAtMs: tombstone.liftedAtMs,
    });
}
