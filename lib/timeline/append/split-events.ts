/**
 * Splits an entry into events: one for each kind of change, since a type depends on the fact alone, and for each order. What is
 * too long for one event becomes several, so that no fact is left out.
 */
import type { NewStreamRecord, ReportedEntry } from '../../storage/stream/stream-record.ts';
import { findAction } from '../actions.ts';
import type { Entry } from '../event-record.ts';
import { typeOfFacts } from '../event-type.ts';
import type { ChangedFact } from '../facts.ts';
import { factKind } from '../facts.ts';
import { ALL_CYCLES } from './compare-observation.ts';

/** The format asks for less than 20 KB; the rest of a body is below 5 KB. */
const MAX_BYTES = 14_000;
/** An entry with more moved or skipped orders reports so many, and that orders are others. */
const MAX_ORDERS = 3;
const CHARGE = /^billing_cycle_(charged|declined|action_required)$/;
const CYCLE = /^billingCycles\.(\d+)\./;

/** An event as it is found in an entry: its changes, by their indexes. */
type Part = { readonly key: string; readonly indexes: readonly number[] };

/** The records of an entry, the change of the status last; none where merchants' servers are not told. */
export function splitEntry(entry: Entry): NewStreamRecord[] {
  const { shopId, contract, id, action, changes } = entry;
  const type = findAction(action)?.webhook;
  if (type === undefined || isUnknownCharge(entry)) return [];
  const of = { shopId, contract };
  const reported = { number: entry.number, action };
  const named = changes.map((_, index) => index).filter((index) => factKind(changes[index]?.field ?? ''));
  if (named.length === 0 || entry.outcome === 'UNKNOWN' || isCharge(entry)) {
    const ordersChanged = entry.outcome === 'UNKNOWN' && mayReschedule(changes);
    // The order of a charge is named by its attempt, which is no fact.
    const part = isCharge(entry) ? {} : { part: [] };
    return [{ ...of, id: idOfAction(entry), entry: { ...reported, type, ...part, ...flag(ordersChanged) } }];
  }
  const { parts, ordersChanged } = withoutManyOrders(entry, named);
  const events = parts.map(({ indexes }) => ({
    type:
      action === 'subscription_created' ? type : typeOfFacts(indexes.flatMap((one) => changes[one] ?? [])),
    part: indexes,
  }));
  const ids = idsOf(id, events);
  return events.map((event, index) => {
    const isLastOfOrders = ordersChanged && index === events.length - 1;
    const restarts = event.part.some((one) => isRestart(changes[one]));
    const own: ReportedEntry = { ...reported, ...event, ...flag(isLastOfOrders || restarts) };
    return { ...of, id: ids[index] ?? id, entry: own };
  });
}

function flag(ordersChanged: boolean) {
  return ordersChanged ? { ordersChanged: true as const } : {};
}

/** An entry of a charge changes, and each time is reported under an id of its own. */
function idOfAction({ id, action }: Entry): string {
  const ofCharge = CHARGE.exec(action)?.[1];
  return ofCharge === undefined ? id : `${id}-${ofCharge}`;
}

/** Whether the entry is of a charge, which changes no fact. */
export function isCharge({ action }: Pick<Entry, 'action'>): boolean {
  return CHARGE.test(action);
}

/** Whether the outcome of a charge is unknown: receivers hear of the charge when its attempt has ended. */
export function isUnknownCharge(entry: Pick<Entry, 'action' | 'outcome'>): boolean {
  return isCharge(entry) && entry.outcome === 'UNKNOWN';
}

/** One event has the entry's id; several have their types in it, and numbers where there are several of a type. */
function idsOf(id: string, events: readonly { readonly type: string }[]): string[] {
  if (events.length === 1) return [id];
  const seen = new Map<string, number>();
  return events.map(({ type }) => {
    const count = (seen.get(type) ?? 0) + 1;
    seen.set(type, count);
    return count === 1 ? `${id}-${type}` : `${id}-${type}-${count}`;
  });
}

function isRestart(change: ChangedFact | undefined): boolean {
  return /^(?:billingCycles|billingPolicy|deliveryPolicy)$/.test(change?.field ?? '');
}

function mayReschedule(changes: readonly ChangedFact[]): boolean {
  return changes.some(isRestart);
}

/** The parts of an entry; the facts of orders that begin anew are left out. */
function withoutManyOrders({ action, changes }: Entry, named: readonly number[]) {
  const isMade = action === 'subscription_created';
  const orderOf = (index: number) => CYCLE.exec(changes[index]?.field ?? '')?.[1];
  const restarts = !isMade && named.some((index) => isRestart(changes[index]));
  const orders = [...new Set(named.flatMap((index) => orderOf(index) ?? []))];
  const reported = new Set(restarts ? [] : isMade ? orders : orders.slice(0, MAX_ORDERS));
  const fields = new Set(named.map((index) => changes[index]?.field));
  const isOfPolicies = fields.has('billingPolicy') || fields.has('deliveryPolicy');
  const left = named.filter((index) => {
    const order = orderOf(index);
    if (isOfPolicies && changes[index]?.field === ALL_CYCLES) return false;
    return order === undefined || reported.has(order);
  });
  const keyOf = (index: number) => (isMade ? 'created' : keyOfFact(changes[index]));
  const byKey = Map.groupBy(left, keyOf);
  const parts = [...byKey].map(([key, indexes]): Part => ({ key, indexes }));
  const sorted = [
    ...parts.filter(({ key }) => key !== 'status'),
    ...parts.filter(({ key }) => key === 'status'),
  ];
  return {
    parts: sorted.flatMap((part) => bounded(part, changes)),
    ordersChanged: !restarts && orders.length > reported.size,
  };
}

/** Facts with one key are reported together. */
function keyOfFact(change: ChangedFact | undefined): string {
  const { field = '', after = null } = change ?? {};
  const { group } = factKind(field) ?? { group: 'other' };
  const order = CYCLE.exec(field)?.[1];
  if (order === undefined) return group;
  return `${group} ${order} ${group === 'skip' ? after : ''}`;
}

/** Parts of less than 14 KB each. */
function bounded({ key, indexes }: Part, changes: readonly ChangedFact[]): Part[] {
  const parts: number[][] = [];
  let bytes = Infinity;
  for (const index of indexes) {
    const size = Buffer.byteLength(JSON.stringify(changes[index])) + BYTES_OF_FORM;
    if (bytes + size > MAX_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(index);
    bytes += size;
  }
  return parts.map((own) => ({ key, indexes: own }));
}

/** Values as JSON are longer than the recorded texts. */
const BYTES_OF_FORM = 100;
