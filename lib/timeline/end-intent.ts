/**
 * An intent ends as an entry, or as nothing. The entry takes its place in the store's stream before the intent goes, and
 * waits for it while an older intent of its contract is open: so merchants' servers hear of a contract in order.
 */
import type { DueItems } from '../storage/due-items.ts';
import type { PlaceInStream } from '../storage/stream/place-in-stream.ts';
import type { Placing } from '../storage/stream/stream-record.ts';
import type { Table } from '../storage/table.ts';
import type { EventAction } from './event-action.ts';
import { type ContractNumber, formatEventNumber, MAX_SEQUENCE, parseEventNumber } from './event-number.ts';
import {
  type EventRecord,
  type TimelineRef,
  timelinePartition,
  toEventItem,
  toEventRecord,
} from './event-record.ts';
import { IN_FLIGHT_MS, intentRef, type OpenIntent, SETTLE_AFTER_MS, toOpenIntent } from './open-intent.ts';

export type EndDeps = {
  readonly table: Table;
  readonly dueItems: DueItems;
  readonly placeInStream: PlaceInStream;
  readonly now: () => number;
};

/** An entry that was made of an intent, or under an id of its own. */
export type Entry = EventRecord & { readonly id: string };

export type Settlement = Pick<EventRecord, 'outcome' | 'changes'> & {
  /** The contract that the change has made. */
  readonly contract?: ContractNumber | undefined;
  /** Whether it is known from the platform's own answer: then it counts more than what is there already. */
  readonly isFirstHand: boolean;
};

/** What merchants' servers are not told: it is of no contract, or they are told what comes of it. */
const UNTOLD: readonly string[] = [
  'billing_cycles_charged',
  'customer_address_updated',
  'payment_method_update_email_sent',
] satisfies EventAction[];

/** No entry waits for an intent that is older. */
const WAIT_MS = 15 * 60_000;

/**
 * Makes the entry, places it, and removes the intent. May be repeated: there is one entry for each intent, and it is
 * placed at least once. `waits`: the intent stays, and whoever ends the one before it places the entry.
 */
export async function settleAsEntry(
  deps: EndDeps,
  intent: OpenIntent,
  settlement: Settlement,
): Promise<'placed' | 'waits'> {
  const entry = await writeEntry(deps, intent, settlement);
  return entry === undefined ? dropIntent(deps, intent) : placeEntry(deps, intent, entry);
}

/** Places the entry that an open intent has, unless it waits. May be repeated. TEMPORARILY_UNAVAILABLE. */
export async function placeEntry(
  deps: EndDeps,
  intent: OpenIntent,
  entry: Entry,
): Promise<'placed' | 'waits'> {
  const open = await openOf(deps, intent);
  if (open.some(({ number }) => number < intent.number)) return 'waits';
  await place(deps, intent, entry);
  if (open.some(({ id }) => id !== intent.id)) await placeWaiting(deps, intent);
  return 'placed';
}

/** Removes an intent that no entry tells; entries that waited for it are placed. TEMPORARILY_UNAVAILABLE. */
export async function dropIntent(deps: EndDeps, intent: OpenIntent): Promise<'placed'> {
  await deps.dueItems.remove(intentRef(intent));
  await placeWaiting(deps, intent);
  return 'placed';
}

/** The entry that was made of an intent; within its millisecond it may have got another number. */
export async function findEntry(
  { table }: Pick<EndDeps, 'table'>,
  { shopId, contract, createdAtMs, id }: TimelineRef & { readonly createdAtMs: number; readonly id: string },
): Promise<Entry | undefined> {
  const numberAt = (sequence: number) => formatEventNumber({ createdAtMs, sequence, contract });
  const { items } = await table.query({
    keyCondition: 'pk = :pk AND sk BETWEEN :first AND :last',
    values: {
      ':pk': timelinePartition({ shopId, contract }),
      ':first': numberAt(0),
      ':last': numberAt(MAX_SEQUENCE),
    },
    consistent: true,
  });
  const own = items.find((item) => item.id === id);
  return own && (toEventRecord(own) as Entry);
}

/** What an entry asks the stream for. An entry of a charge changes, and each time is told under an id of its own. */
export function placingOf({ shopId, contract, number, action, id }: Entry): Placing {
  const ofCharge = /^billing_cycle_(charged|declined|action_required)$/.exec(action)?.[1];
  return {
    shopId,
    contract,
    id: ofCharge === undefined ? id : `${id}-${ofCharge}`,
    entry: { number, action },
  };
}

/** Undefined: all numbers of the millisecond are others'. */
async function writeEntry(
  { table }: EndDeps,
  { repeat: _repeat, ...intent }: OpenIntent,
  { contract = intent.contract, outcome, changes, isFirstHand }: Settlement,
): Promise<Entry | undefined> {
  const own = { condition: 'attribute_not_exists(pk) OR id = :id', values: { ':id': intent.id } };
  let sequence = parseEventNumber(intent.number)?.sequence ?? 0;
  // Where the clock stands still, an entry of an intent before this one may have the number.
  for (; sequence <= MAX_SEQUENCE; sequence++) {
    const number = formatEventNumber({ ...intent, contract, sequence });
    const entry = { ...intent, contract, outcome, changes, number };
    const item = toEventItem(entry);
    const condition = isFirstHand ? own : { condition: 'attribute_not_exists(pk)' };
    if ((await table.put(item, condition)) === 'done') return entry;
    const there = isFirstHand ? undefined : await table.get({ pk: item.pk, sk: item.sk });
    if (there?.id === intent.id) return toEventRecord(there) as Entry;
  }
  return undefined;
}

async function place({ dueItems, placeInStream }: EndDeps, intent: OpenIntent, entry: Entry): Promise<void> {
  if (!UNTOLD.includes(entry.action)) await placeInStream(placingOf(entry));
  await dueItems.remove(intentRef(intent));
}

/** Those that waited go by their numbers, up to the first whose change is still under way. */
async function placeWaiting(deps: EndDeps, ref: TimelineRef): Promise<void> {
  for (;;) {
    const [next] = await openOf(deps, ref);
    const entry = next && (await findEntry(deps, next));
    if (next === undefined || entry === undefined) return;
    await place(deps, next, entry);
  }
}

/** The contract's open intents that may be waited for, oldest first, consistently read. */
async function openOf({ dueItems, now }: EndDeps, { shopId, contract }: TimelineRef): Promise<OpenIntent[]> {
  const open: OpenIntent[] = [];
  // Nothing of a contract stands for the whole store.
  if (contract === undefined) return open;
  const fromMs = now() - WAIT_MS + SETTLE_AFTER_MS;
  const toMs = now() + IN_FLIGHT_MS + SETTLE_AFTER_MS;
  for await (const item of dueItems.listOfStore('intent', shopId, { fromMs, toMs })) {
    const intent = toOpenIntent(item);
    if (intent.contract === contract) open.push(intent);
  }
  return open.sort((one, other) => (one.number < other.number ? -1 : 1));
}
