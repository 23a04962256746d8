/**
 * Handles the platform's compliance requests: to erase a customer, to export a customer's data, to erase a store that
 * has removed the app. Also works for stores that are not installed: these requests come days after an uninstall.
 */
import { parseCustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Logger } from '../observability/logger.ts';
import type { Mark, Marks } from '../storage/marks/marks.ts';
import { openRequest } from './data-requests.ts';
import { type EraseDeps, eraseCustomer } from './erase-customer.ts';

type Deps = Omit<EraseDeps, 'logger'> & {
  readonly marks: Pick<Marks, 'list' | 'remove'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
};
type Turn = { readonly shopId: ShopId; readonly endAtMs: number; readonly signal: AbortSignal };

/**
 * Handles a store's compliance requests until `endAtMs`.
 * @returns when to run again; undefined when no request waits
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function answerCompliance(deps: Deps, turn: Turn): Promise<number | undefined> {
  const { shopId, endAtMs, signal } = turn;
  const marks: Mark[] = [];
  for await (const mark of deps.marks.list(shopId)) if (isCompliance(mark)) marks.push(mark);
  // Data requests are recorded before the customer is erased.
  for (const mark of marks.sort((one) => (one.family === 'data-request' ? -1 : 1))) {
    if (signal.aborted || deps.now() >= endAtMs) return deps.now();
    await answer(deps, shopId, mark);
    await deps.marks.remove(shopId, mark);
  }
  return undefined;
}

function isCompliance({ family }: Mark): boolean {
  return family === 'customer-redact' || family === 'data-request' || family === 'shop-redact';
}

async function answer(deps: Deps, shopId: ShopId, mark: Mark): Promise<void> {
  const asked = { shopId, askedBy: 'platform' } as const;
  if (mark.family === 'shop-redact') {
    // `store purge` checks whether the store was installed again.
    await openRequest(deps, { kind: 'store redact', id: 'SHOP', ...asked });
    return;
  }
  const customerId = parseCustomerId(mark.customerId);
  if (customerId === undefined) return;
  if (mark.family === 'data-request') {
    const id = mark.object;
    const closedAtMs = await deps.complianceRequests.findClosed({ shopId, id });
    // The id is part of the signed body: this is the same request, delayed or redelivered.
    if (closedAtMs !== undefined)
      deps.logger.info('a request that was closed came again', { shopId, requestId: id, closedAtMs });
    else await openRequest(deps, { kind: 'data request', id, customerId, ...asked });
    return;
  }
  const hashed = await deps.tombstones.hashOf({ shopId, customerId });
  const tombstone = await deps.tombstones.find(hashed);
  await eraseCustomer(deps, { shopId, customerId }, 'platform');
  // A new erasure request and a redelivered one cannot be distinguished. Erase in both cases and warn, so that an
  // operator can check.
  if (tombstone?.liftedAtMs !== undefined)
    deps.logger.warn('customer_erased_after_new_sign_in', { ...hashed, signedInAtMs: tombstone.liftedAtMs });
}
