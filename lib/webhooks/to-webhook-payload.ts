/**
 * What is sent to merchants' servers is made when it is sent: ids, never people, and of texts that people wrote only that
 * they changed. What has been taken out of an entry since is not sent any more.
 */
import type { CustomerId } from '../domain/customer-id.ts';
import { formatGid, inNamespace, parseGid } from '../domain/gid.ts';
import type { StreamRecord } from '../storage/stream/stream-record.ts';
import { pauseEndFact } from '../timeline/changed-fact.ts';
import type { ContractNumber } from '../timeline/event-number.ts';
import { contractGid, formatEventGid } from '../timeline/event-number.ts';
import type { EventActor, EventRecord } from '../timeline/event-record.ts';
import { typeOfRecord, type WebhookEventType } from './event-types.ts';

/** Global ids are those of the API, in the namespace of clients. Dates are ISO 8601, UTC. */
export type WebhookPayload = {
  readonly type: WebhookEventType;
  /** When it happened. */
  readonly timestamp: string;
  readonly data: WebhookData;
};

export type WebhookData = {
  /** The timeline's entry (SubscriptionEvent); where no entry tells it, the event's own id. */
  readonly id: string;
  readonly contractId: string | null;
  readonly customerId: string | null;
  /** Who did it; null where nobody did. `label`: the admin key's. */
  readonly actor: { readonly kind: string; readonly label: string | null } | null;
  /** The customer for whom a key acted. */
  readonly onBehalfOf: string | null;
  /** UNKNOWN: nobody can tell whether it was done. */
  readonly outcome: 'DONE' | 'UNKNOWN';
  /** The contract's revision that it made, where it is known. */
  readonly revisionId: string | null;
  readonly changes: readonly {
    readonly field: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  /** Whether there were more changes than are sent, or longer ones: the entry has all. */
  readonly isCut: boolean;
  readonly order?: {
    readonly cycleIndex: number | null;
    readonly date: string | null;
    readonly billingAttemptId: string | null;
    /** The platform's code of a decline. */
    readonly errorCode: string | null;
  };
  readonly paymentMethodId?: string;
};

type Telling = {
  readonly record: StreamRecord;
  /** The entry that the record names. */
  readonly entry?: EventRecord | undefined;
  /** The contract's customer, where the entry does not say who that is. */
  readonly customerId?: CustomerId | undefined;
  /** Of the ids that are sent: that of clients. */
  readonly gidNamespace: string;
};

/** The format asks for less than 20 KB; the rest of the payload is below 3 KB. */
const MOST_BYTES_OF_CHANGES = 14_000;
/** Of a value, and of what is no longer than a word but for a mistake. */
const [MOST_CHARACTERS, MOST_OF_A_WORD] = [500, 100];
const WRITTEN_BY_PEOPLE = /^(?:note|customAttributes|currentPause\.reason)$/;

/** The payload; undefined: nobody is told, or the entry is gone. */
export function toWebhookPayload(telling: Telling): WebhookPayload | undefined {
  const { record, entry } = telling;
  if (record.entry !== undefined && entry === undefined) return undefined;
  const type = typeOfRecord(record, entry?.changes ?? []);
  if (type === undefined) return undefined;
  const atMs = happenedAtMs(telling);
  const data = entry === undefined ? dataOfEvent(telling) : dataOfEntry(telling, entry, type);
  return { type, timestamp: new Date(atMs).toISOString(), data };
}

/** When what is told happened, epoch milliseconds. */
export function happenedAtMs({ record, entry }: Pick<Telling, 'record' | 'entry'>): number {
  return entry?.createdAtMs ?? record.event?.atMs ?? record.placedAtMs;
}

function dataOfEntry(
  { customerId, gidNamespace, record }: Telling,
  entry: EventRecord,
  type: WebhookEventType,
): WebhookData {
  const { actor, contract, outcome, details } = entry;
  const acting = actor.kind === 'CUSTOMER' ? (actor.customerId ?? undefined) : undefined;
  const customer = customerGid(gidNamespace, acting ?? customerId);
  const isForCustomer = actor.kind === 'CUSTOMER' && actor.label !== undefined;
  return {
    id: formatEventGid(entry.number, gidNamespace),
    contractId: contractId(gidNamespace, contract ?? record.contract),
    customerId: customer,
    actor: actorOf(actor),
    onBehalfOf: isForCustomer ? customerGid(gidNamespace, acting) : null,
    outcome,
    revisionId: typeof details.revisionId === 'string' ? word(details.revisionId) : null,
    ...changesOf([...entry.changes, ...endOfPause(entry)]),
    ...(type.startsWith('order.') && { order: orderOf(entry, type, gidNamespace) }),
  };
}

function dataOfEvent({ record, customerId, gidNamespace }: Telling): WebhookData {
  const { event, contract, id } = record;
  return {
    id,
    contractId: contractId(gidNamespace, contract),
    customerId: customerGid(gidNamespace, event?.customerId ?? customerId),
    actor: null,
    onBehalfOf: null,
    outcome: 'DONE',
    revisionId: null,
    changes: [],
    isCut: false,
    ...(event?.order && { order: { ...event.order, billingAttemptId: null, errorCode: null } }),
    ...(event?.paymentMethodId !== undefined && {
      paymentMethodId: renamed(gidNamespace, event.paymentMethodId),
    }),
  };
}

/** A key that acts for a customer is who did it. */
function actorOf(actor: EventActor): WebhookData['actor'] {
  if (actor.kind !== 'CUSTOMER')
    return { kind: actor.kind, label: 'label' in actor ? word(actor.label) : null };
  return actor.label === undefined
    ? { kind: 'CUSTOMER', label: null }
    : { kind: 'MERCHANT', label: word(actor.label) };
}

type Change = WebhookData['changes'][number];

/** An entry keeps the end with which a pause began beside its changes. */
function endOfPause({ action, details: { until }, changes }: EventRecord): Change[] {
  const { field } = pauseEndFact({ before: null, after: null });
  const begins = changes.some((change) => change.field === 'status');
  if (action !== 'subscription_paused' || typeof until !== 'string' || !begins) return [];
  return [{ field, before: null, after: until }];
}

/** As many as there is room for, in the entry's order. */
function changesOf(changes: readonly Change[]): Pick<WebhookData, 'changes' | 'isCut'> {
  const told: Change[] = [];
  let isCut = false;
  let bytes = 0;
  for (const { field, before, after } of changes) {
    const isText = WRITTEN_BY_PEOPLE.test(field);
    const change = {
      field: cut(field),
      before: cut(isText ? null : before),
      after: cut(isText ? null : after),
    };
    bytes += Buffer.byteLength(JSON.stringify(change)) + 1;
    if (bytes > MOST_BYTES_OF_CHANGES) return { changes: told, isCut: true };
    isCut ||= !isText && (change.before !== before || change.after !== after);
    told.push(change);
  }
  return { changes: told, isCut };
}

function orderOf(
  { details, changes }: EventRecord,
  type: WebhookEventType,
  namespace: string,
): NonNullable<WebhookData['order']> {
  // One that moves may leave others out.
  const ofCycles = changes.filter(({ field }) => field.startsWith('billingCycles.'));
  const comes = ({ field, after }: Change) => field.endsWith('.skipped') && after === 'false';
  const moved = ofCycles.find(({ field }) => field.endsWith('ExpectedDate')) ?? ofCycles.find(comes);
  const ofCycle = type === 'order.rescheduled' ? moved : ofCycles[0];
  const index = Number(details.billingCycleIndex ?? ofCycle?.field.split('.')[1] ?? Number.NaN);
  const date = changes.find(({ field }) => /(?:nextBillingDate|ExpectedDate)$/.test(field))?.after;
  const attempt = ofCycle?.field.endsWith('.billingAttempts') ? ofCycle.after : null;
  const dated = date ?? details.billingDate ?? details.expectedDate ?? null;
  return {
    cycleIndex: Number.isInteger(index) ? index : null,
    date: dated === null ? null : word(String(dated)),
    billingAttemptId:
      attempt === null
        ? null
        : formatGid({ namespace, type: 'SubscriptionBillingAttempt', tail: word(attempt) }),
    // The entry of a charge may have gone on since.
    errorCode: type === 'order.declined' && details.errorCode ? word(String(details.errorCode)) : null,
  };
}

function contractId(namespace: string, contract: string | undefined): string | null {
  return contract === undefined ? null : contractGid(contract as ContractNumber, namespace);
}

function customerGid(namespace: string, customerId: number | undefined): string | null {
  return customerId === undefined ? null : formatGid({ namespace, type: 'Customer', tail: `${customerId}` });
}

function renamed(namespace: string, id: string): string {
  const gid = parseGid(id);
  return gid === undefined ? id : formatGid(inNamespace(gid, namespace));
}

/** At most so many characters, none of them halved. */
function cut<Text extends string | null>(text: Text, most = MOST_CHARACTERS): Text {
  if (text === null || text.length <= most) return text;
  return `${[...text.slice(0, most)].slice(0, -1).join('')}…` as Text;
}

function word(text: string): string {
  return cut(text, MOST_OF_A_WORD);
}
