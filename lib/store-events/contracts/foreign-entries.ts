/** What was found to be changed elsewhere, as entries of the timeline. */
import type { ShopId } from '../../domain/shop-id.ts';
import { type ChangedFact, factOf } from '../../timeline/changed-fact.ts';
import type { Entry } from '../../timeline/end-intent.ts';
import type { EventAction } from '../../timeline/event-action.ts';
import { formatEventNumber } from '../../timeline/event-number.ts';
import type { EventFacts } from '../../timeline/event-record.ts';
import type { ForeignChange } from './compare-contract.ts';
import type { ContractReading } from './contract-reading.ts';

type Finding = {
  readonly shopId: ShopId;
  readonly reading: ContractReading;
  /** The version of the snapshot that the reading was compared with. */
  readonly version: number;
  /** The same payment method pays with another card. */
  readonly isMethodReplaced: boolean;
  readonly nowMs: number;
};

const CYCLE = /^billingCycles\.(\d+)\.(.+)$/;

/** An entry for each change, in their order; what became of the payment method itself has entries of its own. */
export function foreignEntries(found: Finding, changes: readonly ForeignChange[]): Entry[] {
  const { revisionId } = found.reading;
  const isRemoved = (field: string) =>
    field === 'customerPaymentMethod' && found.reading.paymentMethod?.isRevoked === true;
  const changed = changes.flatMap(({ changes: all }): Told[] => {
    const removed = all.filter(({ field, after }) => after === null && isRemoved(field));
    const others = all.filter((fact) => !removed.includes(fact));
    return [
      ...(others.length > 0 ? [{ action: 'changed_elsewhere' as const, changes: others }] : []),
      ...(removed.length > 0 ? [{ action: 'payment_method_removed' as const, changes: removed }] : []),
    ];
  });
  const replaced = found.isMethodReplaced
    ? [{ action: 'payment_method_replaced' as const, changes: [METHOD_ITSELF] }]
    : [];
  return [...changed, ...replaced].map(({ action, changes: facts }, index) =>
    toEntry(found, index, { action, changes: facts, details: { ...detailsOf(facts), revisionId } }),
  );
}

type Told = { readonly action: EventAction; readonly changes: readonly ChangedFact[] };

/** What it pays with is nobody's to read. */
const METHOD_ITSELF = factOf('customerPaymentMethod', { before: null, after: null });

/** The entry of a contract that was made elsewhere. */
export function createdEntry(found: Finding): Entry {
  const details = { revisionId: found.reading.revisionId };
  return toEntry(found, 0, { action: 'subscription_created', changes: [], details });
}

function toEntry(
  { shopId, reading, version, nowMs }: Finding,
  sequence: number,
  told: Pick<EventFacts, 'action' | 'changes' | 'details'>,
): Entry {
  const { contract } = reading;
  return {
    ...told,
    id: `elsewhere-${contract}-${version}-${sequence}`,
    number: formatEventNumber({ createdAtMs: nowMs, sequence, contract }),
    shopId,
    contract,
    actor: { kind: 'UNKNOWN' },
    requestId: `store-events-${nowMs}`,
    createdAtMs: nowMs,
    outcome: 'DONE',
  };
}

/** What the words of the entry name: the order, or the date. */
function detailsOf(changes: readonly ChangedFact[]): EventFacts['details'] {
  const [change, ...others] = changes;
  const [, index, name] = CYCLE.exec(change?.field ?? '') ?? [];
  if (change?.field === 'nextBillingDate' && others.length === 0) return { nextBillingDate: change.after };
  if (index === undefined) return {};
  const isMoved = name === 'billingAttemptExpectedDate';
  return {
    billingCycleIndex: Number(index),
    ...(isMoved && { expectedDate: change?.before ?? null, billingDate: change?.after ?? null }),
  };
}
