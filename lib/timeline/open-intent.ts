/**
 * An intent is a due item from before its change until its entry has its place in the store's stream. It is in no contract's
 * timeline: so a page of it holds entries alone, and the scheduled work finds the intents that nobody has settled. An
 * intent whose entry is there is settled: its change is not under way any more.
 */
import { ServiceError } from '../errors/service-error.ts';
import type { DueItem, DueItems, DueRef } from '../storage/due-items.ts';
import type { ItemKey } from '../storage/table.ts';
import { type ChangedFact, isSameText } from './changed-fact.ts';
import { type ContractNumber, formatEventNumber, MAX_SEQUENCE } from './event-number.ts';
import type { EventFacts } from './event-record.ts';

/** An intent as it is written. `id`: unlike any other intent's. `repeat`: where the claim on its request's key lies. */
export type OpenIntent = EventFacts & {
  readonly id: string;
  readonly repeat?: ItemKey;
  /** Facts that are told with `changes`, and not judged by: the next step is to bring them. */
  readonly further?: readonly ChangedFact[];
  /** The contract that the change created; its entry is stored there. */
  readonly made?: ContractNumber;
  /** No change is under way: it holds an entry's place in the order of its contract (`reserveStreamOrder`). */
  readonly isPlace?: true;
};
type NewIntent = Omit<OpenIntent, 'number'>;

/** The scheduled work looks at an intent from then on: longer than any request lives. */
export const SETTLE_AFTER_MS = 120_000;

/** A request lives for 20 s, and clocks differ a little: until then the platform may still take the change. */
export const IN_FLIGHT_MS = 60_000;

/** How long the service waits for a contract that cannot be read. */
export const GIVE_UP_AFTER_MS = 7 * 86_400_000;

/** How long an entry waits for an earlier entry that has not been written. */
export const PLACE_WAITS_MS = 15 * 60_000;

/**
 * The intent's key among the due items. An ordering reservation has its own key, because an intent may have the
 * same number.
 */
export function intentRef({
  shopId,
  number,
  createdAtMs,
  id,
  isPlace,
}: Pick<OpenIntent, 'shopId' | 'number' | 'createdAtMs' | 'id' | 'isPlace'>): DueRef & {
  readonly id: string;
} {
  const name = isPlace ? `${number}.${id}` : number;
  return { kind: 'intent', shopId, dueAtMs: createdAtMs + SETTLE_AFTER_MS, name, id } as const;
}

/** The intent of a due item. */
export function toOpenIntent({ payload }: DueItem): OpenIntent {
  return { contract: undefined, ...(payload as Omit<OpenIntent, 'contract'>) };
}

/** Adds facts that a next step is to bring. TEMPORARILY_UNAVAILABLE: they are not kept. */
export async function addFurther(
  { replace }: Pick<DueItems, 'replace'>,
  intent: OpenIntent,
  facts: readonly ChangedFact[],
): Promise<OpenIntent> {
  const byField = new Map((intent.further ?? []).map((fact) => [fact.field, fact]));
  for (const fact of facts) {
    byField.set(fact.field, { ...fact, before: byField.get(fact.field)?.before ?? fact.before });
  }
  // A fact without values, such as an address, is recorded as changed alone.
  const isMute = ({ before, after }: ChangedFact) => before === null && after === null;
  const further = [...byField.values()].filter(
    (fact) => isMute(fact) || !isSameText(fact.field, fact.before, fact.after),
  );
  const added = { ...intent, further };
  await replace({ ...intentRef(added), payload: added });
  return added;
}

/** Writes an intent under the first number that is free. TEMPORARILY_UNAVAILABLE: it is not written. */
export async function writeIntent(dueItems: DueItems, intent: NewIntent): Promise<OpenIntent> {
  for (let sequence = 0; sequence <= MAX_SEQUENCE; sequence++) {
    const numbered = { ...intent, number: formatEventNumber({ ...intent, sequence }) };
    if (await isWritten(dueItems, numbered)) return numbered;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'no number is free in this millisecond' });
}

async function isWritten(dueItems: DueItems, intent: OpenIntent): Promise<boolean> {
  const ref = intentRef(intent);
  try {
    if ((await dueItems.put({ ...ref, payload: intent })) === 'done') return true;
    // A second try of the same request is refused by the first, whose answer was lost.
    const there = await dueItems.find(ref);
    return there !== undefined && toOpenIntent(there).id === intent.id;
  } catch (error) {
    // The failed write may still have stored the intent. No request follows, so remove it.
    await dueItems.remove(ref).catch(() => undefined);
    throw error;
  }
}

type PlaceOf = Pick<EventFacts, 'number' | 'shopId' | 'contract' | 'action' | 'createdAtMs'> & {
  readonly id: string;
};

/** The due item that holds an entry's place. */
export function placeRef({ shopId, number, createdAtMs, id }: Omit<PlaceOf, 'action'>): DueRef {
  return intentRef({ shopId, number, createdAtMs, id, isPlace: true });
}

/**
 * Holds the place in the store's stream of an entry that comes of no intent, or is told anew, before it is written: who
 * places it finds it, and what is younger waits. Whoever dies in between comes again. May be repeated.
 * TEMPORARILY_UNAVAILABLE.
 */
export async function reserveStreamOrder({ put }: Pick<DueItems, 'put'>, entry: PlaceOf): Promise<void> {
  const { id, number, shopId, contract, action, createdAtMs } = entry;
  const place: OpenIntent = {
    ...{ id, number, shopId, contract, action, createdAtMs, isPlace: true },
    ...{ actor: { kind: 'SERVICE' }, requestId: id, details: {}, changes: [] },
  };
  await put({ ...placeRef(place), payload: place });
}
