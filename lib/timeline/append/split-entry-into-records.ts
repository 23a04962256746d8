/**
 * Splits an entry into events: one for each group of facts, because the type depends only on the facts, and one for each
 * order. Facts that are too long for one event are divided, so that no fact is omitted.
 */
import type { NewStreamRecord, ReportedEntry } from '../../storage/stream/stream-record.ts';
import { findActionDefinition } from '../actions.ts';
import type { EventRecord } from '../event-record.ts';
import { webhookTypeOfFacts } from '../event-type.ts';
import { type FactChange, type FactGroup, findFactKind } from '../facts.ts';
import { ALL_CYCLES_FIELD } from './compare-observation.ts';

/** Standard Webhooks requires bodies below 20 KB; the rest of a body is below 5 KB. */
const MAX_EVENT_FACTS_BYTES = 14_000;
/** By how much the JSON of a fact in a body may be longer than its recorded texts. */
const EXTRA_JSON_BYTES_PER_FACT = 100;
/** The maximum number of moved or skipped orders that events report; if there are more, the last event has `ordersChanged`. */
const MAX_REPORTED_ORDERS = 3;
const CHARGE_ACTION_PATTERN = /^billing_cycle_(charged|declined|action_required|not_charged)$/;
const ORDER_FIELD_PATTERN = /^billingCycles\.(\d+)\./;
const ORDERS_RESTART_FIELD_PATTERN = /^(?:billingCycles|billingPolicy|deliveryPolicy)$/;

/** A fact of an entry. `index`: its index in the entry's changes. `cycleIndex`: that of its order, if it is about one. */
type GroupedFact = {
  readonly index: number;
  readonly change: FactChange;
  readonly group: FactGroup;
  readonly cycleIndex: string | undefined;
};

/** Returns a stream record for each event of an entry, that of the status last; none when no event reports the action. */
export function splitEntryIntoRecords(entry: EventRecord): NewStreamRecord[] {
  const { shopId, contract, id, action, changes, number } = entry;
  const { webhook: webhookType, orders } = findActionDefinition(action) ?? {};
  if (webhookType === undefined || isChargeWithUnknownOutcome(entry)) return [];
  const toRecord = (eventId: string, event: Omit<ReportedEntry, 'number' | 'action'>) => ({
    ...{ shopId, contract, id: eventId },
    entry: { number, action, ...event },
  });
  // The entry of a charge is replaced at each state, so each state has its own event id. Its order is not named by a fact.
  if (isChargeEntry(entry))
    return [toRecord(`${id}-${CHARGE_ACTION_PATTERN.exec(action)?.[1]}`, { type: webhookType })];
  const groupedFacts = changes.flatMap((change, index) => toGroupedFacts(change, index));
  const reportedFacts =
    orders === 'unreported'
      ? groupedFacts.filter(({ cycleIndex }) => cycleIndex === undefined)
      : groupedFacts;
  if (reportedFacts.length === 0 || entry.outcome === 'UNKNOWN') {
    const restartsOrders =
      orders !== undefined || (entry.outcome === 'UNKNOWN' && changes.some(restartsOrderFacts));
    return [toRecord(id, { type: webhookType, part: [], ...ordersChangedFlag(restartsOrders) })];
  }
  const isContractCreation = action === 'subscription_created';
  const { parts, ordersChanged } = isContractCreation
    ? { parts: splitIntoBoundedParts(reportedFacts), ordersChanged: false }
    : groupFactsByEvent(reportedFacts);
  const webhookTypes = parts.map((part) =>
    isContractCreation ? webhookType : webhookTypeOfFacts(part.map(({ change }) => change)),
  );
  return parts.map((part, index) => {
    const isLastPart = index === parts.length - 1;
    const restartsOrders = part.some(({ change }) => restartsOrderFacts(change));
    const event = { type: webhookTypes[index] ?? webhookType, part: part.map((fact) => fact.index) };
    return toRecord(splitEventId(id, webhookTypes, index), {
      ...event,
      ...ordersChangedFlag(((ordersChanged || orders !== undefined) && isLastPart) || restartsOrders),
    });
  });
}

/** Whether the entry records the charge of an order, which changes no fact. */
export function isChargeEntry({ action }: Pick<EventRecord, 'action'>): boolean {
  return CHARGE_ACTION_PATTERN.test(action);
}

/** Whether the outcome of a charge is unknown: an event reports the charge when its attempt has ended. */
export function isChargeWithUnknownOutcome(entry: Pick<EventRecord, 'action' | 'outcome'>): boolean {
  return isChargeEntry(entry) && entry.outcome === 'UNKNOWN';
}

function toGroupedFacts(change: FactChange, index: number): GroupedFact[] {
  const factGroup = findFactKind(change.field)?.group;
  return factGroup === undefined
    ? []
    : [{ index, change, group: factGroup, cycleIndex: ORDER_FIELD_PATTERN.exec(change.field)?.[1] }];
}

/** Whether the facts of orders restart with this change. */
function restartsOrderFacts({ field }: FactChange): boolean {
  return ORDERS_RESTART_FIELD_PATTERN.test(field);
}

function ordersChangedFlag(ordersChanged: boolean) {
  return ordersChanged ? { ordersChanged: true as const } : {};
}

/** Returns the id of an event: the entry's id, with the type if the entry has several events, and a number if types repeat. */
function splitEventId(id: string, webhookTypes: readonly string[], index: number): string {
  if (webhookTypes.length === 1) return id;
  const type = webhookTypes[index];
  const sameTypeCount = webhookTypes.slice(0, index + 1).filter((one) => one === type).length;
  return sameTypeCount === 1 ? `${id}-${type}` : `${id}-${type}-${sameTypeCount}`;
}

/** Groups the facts of an entry by event. Leaves out facts of orders if all restart, or beyond MAX_REPORTED_ORDERS orders. */
function groupFactsByEvent(facts: readonly GroupedFact[]) {
  const restartsOrders = facts.some(({ change }) => restartsOrderFacts(change));
  const hasPolicyFacts = facts.some(({ group }) => group === 'policies');
  const cycleIndexes = [...new Set(facts.flatMap(({ cycleIndex }) => cycleIndex ?? []))];
  const reportedCycleIndexes = restartsOrders ? [] : cycleIndexes.slice(0, MAX_REPORTED_ORDERS);
  const remainingFacts = facts.filter(({ change, cycleIndex }) =>
    cycleIndex === undefined
      ? !(hasPolicyFacts && change.field === ALL_CYCLES_FIELD)
      : reportedCycleIndexes.includes(cycleIndex),
  );
  const factsByKey = Map.groupBy(remainingFacts, ({ change, group, cycleIndex }) =>
    cycleIndex === undefined ? group : `${group} ${cycleIndex} ${group === 'skip' ? change.after : ''}`,
  );
  const statusFacts = factsByKey.get('status') ?? [];
  factsByKey.delete('status');
  return {
    parts: [...factsByKey.values(), statusFacts].flatMap(splitIntoBoundedParts),
    ordersChanged: !restartsOrders && cycleIndexes.length > reportedCycleIndexes.length,
  };
}

/** Divides facts into parts of less than 14 KB. */
function splitIntoBoundedParts(facts: readonly GroupedFact[]): GroupedFact[][] {
  const factGroups: GroupedFact[][] = [];
  let partBytes = Infinity;
  for (const fact of facts) {
    const factBytes = Buffer.byteLength(JSON.stringify(fact.change)) + EXTRA_JSON_BYTES_PER_FACT;
    if (partBytes + factBytes > MAX_EVENT_FACTS_BYTES) {
      factGroups.push([]);
      partBytes = 0;
    }
    factGroups.at(-1)?.push(fact);
    partBytes += factBytes;
  }
  return factGroups;
}
