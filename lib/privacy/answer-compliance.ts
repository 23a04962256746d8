/**
 * What the platform has asked for in the name of the law: a customer to be erased, or their data to be told; a store that
 * has removed the app to be forgotten. Works also for stores that are not installed: these come days after an uninstall.
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

/** Acts on a store's marks of compliance until `endAtMs`; returns when to look again; undefined: nothing waits. TEMPORARILY_UNAVAILABLE. */
export async function answerCompliance(deps: Deps, turn: Turn): Promise<number | undefined> {
  const { shopId, endAtMs, signal } = turn;
  const marks: Mark[] = [];
  for await (const mark of deps.marks.list(shopId)) if (isCompliance(mark)) marks.push(mark);
  // What was asked about a customer is noted before the customer is erased.
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
    // Whether the store has come back is asked by who purges it: see store purge.
    await openRequest(deps, { kind: 'store redact', id: 'SHOP', ...asked });
    return;
  }
  const customerId = parseCustomerId(mark.customerId);
  if (customerId === undefined) return;
  if (mark.family === 'data-request') {
    const id = mark.object;
    const closedAtMs = await deps.complianceRequests.findClosed({ shopId, id });
    // The id is under the signature: it is the same request, late or copied.
    if (closedAtMs !== undefined)
      deps.logger.info('a request that was closed came again', { shopId, requestId: id, closedAtMs });
    else await openRequest(deps, { kind: 'data request', id, customerId, ...asked });
    return;
  }
  const hashed = await deps.tombstones.hashOf({ shopId, customerId });
  const tombstone = await deps.tombstones.find(hashed);
  await eraseCustomer(deps, { shopId, customerId }, 'platform');
  // A second wish and a copy of the first look alike, and a wish must not be lost: it is done, and people may look.
  if (tombstone?.liftedAtMs !== undefined)
    deps.logger.warn('customer_erased_after_new_sign_in', { ...hashed, signedInAtMs: tombstone.liftedAtMs });
}
