/**
 * Whether this store's platform counts points as the service does: its document that looks up most by ids is sent with
 * ids that nobody has. The formula is not published, so each real store is asked.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { LINES_POINTS, MAX_VARIANTS, NO_LINES } from '../../subscriptions/lines/lines-request.ts';
import { readsOfLines } from '../../subscriptions/lines/lines-state.ts';
import type { AskPlatform } from '../../subscriptions/operation.ts';
import { readContractState } from '../../subscriptions/read-contract-state.ts';
import { type AskDocument, type Asked, notTold } from './check-access.ts';
import type { StoreFinding } from './store-finding.ts';

const NAME = 'Large query';
/** The platform counts from numbers that are much larger. */
const gid = (type: string, number: number) => `gid://shopify/${type}/${number}`;

/** Points of the platform against the service's own; nothing is found, so it costs next to nothing. */
export async function checkLargeQuery(ask: AskDocument, nowMs: number): Promise<StoreFinding> {
  const add = Array.from({ length: MAX_VARIANTS }, (_none, index) => ({
    productVariantId: gid('ProductVariant', index + 1),
    quantity: 1,
  }));
  let asked: Asked = { failed: undefined };
  const noting: AskPlatform = async ({ document, variables }) => {
    asked = await ask(document.replace(/^query/, 'query StoreCheckLargeQuery'), variables);
    return { data: {}, errors: [], cost: undefined };
  };
  const reads = readsOfLines({ ...NO_LINES, add }, { nowMs, isCustomer: true });
  await readContractState({ ask: noting }, { contractId: gid('SubscriptionContract', 1), reads });
  return readPoints(asked);
}

const TELL = 'Tell the makers of the service: it counts this store’s points too low (docs/decisions/0148).';

function readPoints(asked: Asked): StoreFinding {
  if ('failed' in asked) {
    const { failed } = asked;
    const isRefused = failed instanceof ServiceError && failed.code === 'QUERY_TOO_COMPLEX';
    if (!isRefused) return notTold(NAME, asked);
    return { name: NAME, state: 'missing', found: `refused: ${failed.message}`, mend: TELL };
  }
  if (asked.cost === undefined) return { name: NAME, state: 'unknown', found: 'no cost was told' };
  const { requestedQueryCost: points } = asked.cost;
  const found = `${points} points; the service counts ${LINES_POINTS}`;
  if (points > LINES_POINTS) return { name: NAME, state: 'optional', found, mend: TELL };
  // All variants but the first are free then.
  const isOnce = points <= LINES_POINTS / 2;
  return { name: NAME, state: 'ok', found: isOnce ? `${found}, for ids count once here` : found };
}
