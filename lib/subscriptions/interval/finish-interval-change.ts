/**
 * Finishes an interval change that was interrupted between its two steps: restores the skips and moves that its
 * intent stores. The scheduled work calls it before it settles the intent.
 */
import { contractGid } from '../../timeline/event-number.ts';
import type { EventFacts, EventRecord } from '../../timeline/event-record.ts';
import type { FinishChange } from '../../timeline/settle/finish-change.ts';
import type { SettleDeps } from '../../timeline/settle/settle-open-intents.ts';
import { finishOrderDate } from '../cycles/move-order.ts';
import { unpackEdits } from '../cycles/upcoming-edits.ts';
import { INTERVAL_ACTION } from './interval-intent.ts';
import { putEditsBack } from './put-edits-back.ts';
import { createUnfinishedIntervals } from './unfinished-intervals.ts';

/**
 * Does nothing unless the interval is in force. A later interval change that was made has handled the edits itself.
 * May run twice.
 * @throws ServiceError when the platform does not respond; the intent then has to wait
 */
const finishIntervalChange: FinishChange = async (deps, { intent, earlier, later }) => {
  const { contract, details, actor } = intent;
  const { interval, intervalCount, editsAhead: upcomingEdits } = details;
  if (contract === undefined || typeof interval !== 'string' || typeof intervalCount !== 'number')
    return undefined;
  if (later.some((one) => isEntry(one) && one.action === INTERVAL_ACTION)) return undefined;
  await putEditsBack(deps, {
    contractId: contractGid(contract, deps.platformGidNamespace),
    edits: typeof upcomingEdits === 'string' ? unpackEdits(upcomingEdits) : [],
    interval: { interval, intervalCount },
    reason: actor.kind === 'CUSTOMER' ? 'BUYER_INITIATED' : 'MERCHANT_INITIATED',
    entries: [...earlier, ...later].filter(isEntry),
    beganAtMs: intent.createdAtMs,
    readAtMs: intent.readAtMs,
  });
  await createUnfinishedIntervals(deps).delete({ shopId: intent.shopId, contractNumber: contract });
  await finishOrderDate(deps, { intent, earlier, later });
  return undefined;
};

/** A change that is still open may not have been made. */
function isEntry(facts: EventFacts): facts is EventRecord {
  return 'outcome' in facts && facts.outcome === 'DONE';
}

/** The finishers of changes that were interrupted after their commit, by action. The scheduled work calls them. */
export const finishers: SettleDeps['finishers'] = {
  [INTERVAL_ACTION]: finishIntervalChange,
  subscription_resumed: finishOrderDate,
  subscription_next_billing_date_updated: finishOrderDate,
};
