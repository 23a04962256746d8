/**
 * Builds the body of an event at the time when the event is sent. The body contains ids, but no personal data; of free texts
 * it only reports that they changed. Data that was removed from the timeline entry since is not sent.
 */
import type { CustomerId } from '../domain/customer-id.ts';
import { formatGid, parseGid, withNamespace } from '../domain/gid.ts';
import type { StoreEvent, StreamRecord } from '../storage/stream/stream-record.ts';
import { findActionDefinition } from '../timeline/actions.ts';
import { isChargeWithUnknownOutcome } from '../timeline/append/split-entry-into-records.ts';
import type { ContractNumber, EventActor, EventNumber, EventRecord } from '../timeline/event-record.ts';
import { contractGid, formatEventGid } from '../timeline/event-record.ts';
import { type WebhookEventType, webhookTypeOfRecord } from '../timeline/event-type.ts';
import type { FactChange } from '../timeline/facts.ts';
import { findFactKind, toFactJson } from '../timeline/facts.ts';
import { listFinalActionFacts } from './list-final-action-facts.ts';

/** Global ids are those of the API, in the namespace of clients. Dates are ISO 8601, UTC. */
export type WebhookPayload = {
  readonly type: WebhookEventType;
  /** When the event happened. */
  readonly timestamp: string;
  readonly data: WebhookData;
};

export type WebhookData = {
  /** The timeline entry's id (SubscriptionEvent); without an entry, the event's own id. */
  readonly id: string;
  readonly contractId: string | null;
  readonly customerId: string | null;
  /** The actor; null if there was none. `label`: the label of the admin key that acted. */
  readonly actor: { readonly kind: string; readonly label: string | null } | null;
  /** The global id of the customer for whom an admin key acted. */
  readonly onBehalfOf: string | null;
  /** UNKNOWN: it cannot be determined whether the change was made. */
  readonly outcome: 'DONE' | 'UNKNOWN';
  readonly occurredAt: string;
  /** Whether `occurredAt` is the time of discovery, shortly after the event. */
  readonly isEstimate: boolean;
  /** When the event was appended to the store's stream. */
  readonly recordedAt: string;
  /** The event's number in the store's stream. */
  readonly position: number;
  /** The contract's revision that the change created, if known. */
  readonly revisionId: string | null;
  /** The id of the timeline entry whose change caused this one. */
  readonly causedBy: string | null;
  /** Whether many orders may have changed, so that the receiver has to query the orders again. */
  readonly ordersChanged: boolean;
  readonly changes: readonly {
    readonly field: string;
    readonly before: ReturnType<typeof toFactJson>;
    readonly after: ReturnType<typeof toFactJson>;
  }[];
  /** Why a subscription was cancelled. */
  readonly reason?: { readonly code: string | null };
  readonly order?: {
    readonly cycleIndex: number | null;
    readonly date: string | null;
    readonly billingAttemptId: string | null;
    /** The platform's code of a decline. */
    readonly errorCode: string | null;
    /** Only in a decline: how many attempts of the order have failed; null if the service does not bill the order. */
    readonly tryCount?: number | null;
    /** Only in a decline: when the service tries the order again by itself; null when it does not. */
    readonly nextTryAt?: string | null;
    /** Only of an order that was not charged: a `BillingChargeReason`. */
    readonly reason?: string | null;
  };
  readonly run?: {
    readonly id: string;
    readonly date: string;
    readonly holdReason: string;
    readonly expectedCount: number | null;
    readonly foundCount: number;
  };
  /** The change of several orders, such as a postponement, that moved or skipped this order: its former and its new date. */
  readonly cause?: { readonly action: string; readonly from: string; readonly to: string };
  readonly paymentMethodId?: string;
};

type PayloadSource = {
  readonly record: StreamRecord;
  /** The timeline entry of the record. */
  readonly entry?: EventRecord | undefined;
  /** The contract's customer, if the entry does not have it. */
  readonly customerId?: CustomerId | undefined;
  /** The namespace of clients, for the ids in payloads. */
  readonly gidNamespace: string;
};

/** The maximum number of characters of a value, and of a field that is normally one word, such as a code. */
const [MAX_VALUE_CHARACTERS, MAX_WORD_CHARACTERS] = [500, 100];
const ATTEMPT_FIELD_PATTERN = /^billingCycles\.(\d+)\.billingAttempts$/;

/**
 * Builds the payload.
 * @returns undefined when the event is not sent, or the entry no longer exists
 */
export function toWebhookPayload(payloadSource: PayloadSource): WebhookPayload | undefined {
  const { record, entry } = payloadSource;
  if (record.entry !== undefined && entry === undefined) return undefined;
  if (entry !== undefined && isChargeWithUnknownOutcome(entry)) return undefined;
  const webhookType = webhookTypeOfRecord(record);
  if (webhookType === undefined) return undefined;
  const timestamp = new Date(eventHappenedAtMs(payloadSource)).toISOString();
  const eventTimes = {
    occurredAt: timestamp,
    isEstimate: entry?.details.isEstimate === true,
    recordedAt: new Date(record.placedAtMs).toISOString(),
    position: record.number,
  };
  const data =
    entry === undefined ? buildEventData(payloadSource) : buildEntryData(payloadSource, entry, webhookType);
  return { type: webhookType, timestamp, data: { ...data, ...eventTimes } };
}

/** Returns when the event happened, epoch milliseconds. */
export function eventHappenedAtMs({ record, entry }: Pick<PayloadSource, 'record' | 'entry'>): number {
  return entry?.createdAtMs ?? record.event?.atMs ?? record.placedAtMs;
}

type DataWithoutEventTimes = Omit<WebhookData, 'occurredAt' | 'isEstimate' | 'recordedAt' | 'position'>;

function buildEntryData(
  { customerId, gidNamespace, record }: PayloadSource,
  entry: EventRecord,
  type: WebhookEventType,
): DataWithoutEventTimes {
  const { actor, contract, outcome, details } = entry;
  const actingCustomerId = actor.kind === 'CUSTOMER' ? (actor.customerId ?? undefined) : undefined;
  const actsForCustomer = actor.kind === 'CUSTOMER' && actor.label !== undefined;
  const { part, ordersChanged = false } = record.entry ?? {};
  const reportedChanges =
    type === 'order.not_charged'
      ? listFinalActionFacts(details)
      : (part?.flatMap((index) => entry.changes[index] ?? []) ?? entry.changes);
  const { causedBy, reasonCode, revisionId } = details;
  return {
    id: formatEventGid(entry.number, gidNamespace),
    contractId: contractGidOrNull(gidNamespace, contract ?? record.contract),
    customerId: customerGidOrNull(gidNamespace, actingCustomerId ?? customerId),
    actor: toPayloadActor(actor),
    onBehalfOf: actsForCustomer ? customerGidOrNull(gidNamespace, actingCustomerId) : null,
    outcome,
    revisionId: typeof revisionId === 'string' ? truncateWord(revisionId) : null,
    causedBy: typeof causedBy === 'string' ? formatEventGid(causedBy as EventNumber, gidNamespace) : null,
    ordersChanged,
    changes: reportedChanges
      .filter(({ field }) => findFactKind(field) !== undefined)
      .map(createToPayloadFact(gidNamespace)),
    ...(type === 'subscription.cancelled' && {
      reason: { code: typeof reasonCode === 'string' ? truncateWord(reasonCode) : null },
    }),
    ...(type.startsWith('order.') && {
      order: toPayloadOrder({ ...entry, changes: reportedChanges }, { type, namespace: gidNamespace }),
    }),
    ...(type.startsWith('order.') && orderChangeCause(entry)),
  };
}

/**
 * Returns the change of several orders that moved or skipped the order: a postponement, its revert, or an order that was sent
 * now in another cycle. Returns nothing when the order was changed on its own.
 */
function orderChangeCause({ action, details }: EventRecord): Pick<WebhookData, 'cause'> {
  const { expectedDate: from, billingDate: to, movesOrder } = details;
  const changesSeveralOrders = findActionDefinition(action)?.orders === 'changed' || movesOrder === true;
  return changesSeveralOrders && typeof from === 'string' && typeof to === 'string'
    ? { cause: { action, from, to } }
    : {};
}

function buildEventData({ record, customerId, gidNamespace }: PayloadSource): DataWithoutEventTimes {
  const { event, contract, id } = record;
  return {
    id,
    contractId: contractGidOrNull(gidNamespace, contract),
    customerId: customerGidOrNull(gidNamespace, event?.customerId ?? customerId),
    ...{ actor: null, onBehalfOf: null, outcome: 'DONE', revisionId: null, causedBy: null },
    ordersChanged: event?.ordersChanged === true,
    changes: [],
    ...(event?.order && { order: { ...event.order, billingAttemptId: null, errorCode: null } }),
    ...(event?.paymentMethodId !== undefined && {
      paymentMethodId: withClientNamespace(gidNamespace, event.paymentMethodId),
    }),
    ...(event?.run && { run: toPayloadRun(event.run, gidNamespace) }),
  };
}

function toPayloadRun(
  run: NonNullable<StoreEvent['run']>,
  namespace: string,
): NonNullable<WebhookData['run']> {
  const { date, holdReason, expectedCount = null, foundCount } = run;
  const id = formatGid({ namespace, type: 'BillingRun', tail: date });
  return { id, date, holdReason, expectedCount, foundCount };
}

/** Returns the actor of a change. If an admin key acted for a customer, the key is the actor. */
function toPayloadActor(actor: EventActor): WebhookData['actor'] {
  if (actor.kind !== 'CUSTOMER')
    return { kind: actor.kind, label: 'label' in actor ? truncateWord(actor.label) : null };
  return actor.label === undefined
    ? { kind: 'CUSTOMER', label: null }
    : { kind: 'MERCHANT', label: truncateWord(actor.label) };
}

function createToPayloadFact(namespace: string) {
  return ({ field, before, after }: FactChange) => ({
    field: truncateText(field),
    before: truncateIfText(toFactJson(field, before, namespace)),
    after: truncateIfText(toFactJson(field, after, namespace)),
  });
}

function truncateIfText<Value>(value: Value): Value {
  return typeof value === 'string' ? (truncateText(value) as Value & string) : value;
}

type PayloadOrderContext = { readonly type: WebhookEventType; readonly namespace: string };

/** Returns the order that the event reports, with the cycle index and the date of that order. */
function toPayloadOrder(
  entry: Pick<EventRecord, 'details' | 'changes'>,
  { type, namespace }: PayloadOrderContext,
): NonNullable<WebhookData['order']> {
  const { details, changes } = entry;
  const [, cycleIndexText] = /^billingCycles\.(\d+)\./.exec(changes[0]?.field ?? '') ?? [];
  const cycleIndex = Number(cycleIndexText ?? details.billingCycleIndex ?? Number.NaN);
  const movedDate = changes.find(({ field }) => field.endsWith('.billingAttemptExpectedDate'))?.after ?? null;
  const knownDate =
    cycleIndex === details.billingCycleIndex ? (details.billingDate ?? details.expectedDate ?? null) : null;
  const attemptNumber = entry.changes.find(({ field }) => ATTEMPT_FIELD_PATTERN.test(field))?.after ?? null;
  const orderDate = movedDate ?? knownDate;
  return {
    cycleIndex: Number.isInteger(cycleIndex) ? cycleIndex : null,
    date: orderDate === null ? null : truncateWord(String(orderDate)),
    billingAttemptId:
      attemptNumber === null
        ? null
        : formatGid({ namespace, type: 'SubscriptionBillingAttempt', tail: truncateWord(attemptNumber) }),
    // The charge's entry may have got another outcome since the event was appended.
    errorCode:
      type === 'order.declined' && details.errorCode ? truncateWord(String(details.errorCode)) : null,
    ...(type === 'order.declined' && nextTryFields(details)),
    ...(type === 'order.not_charged' && { reason: textOrNull(details.notChargedReason) }),
  };
}

function nextTryFields({ tryCount, nextTryAt }: EventRecord['details']) {
  return { tryCount: typeof tryCount === 'number' ? tryCount : null, nextTryAt: textOrNull(nextTryAt) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? truncateWord(value) : null;
}

function contractGidOrNull(namespace: string, contract: string | undefined): string | null {
  return contract === undefined ? null : contractGid(contract as ContractNumber, namespace);
}

function customerGidOrNull(namespace: string, customerId: number | undefined): string | null {
  return customerId === undefined ? null : formatGid({ namespace, type: 'Customer', tail: `${customerId}` });
}

function withClientNamespace(namespace: string, id: string): string {
  const gid = parseGid(id);
  return gid === undefined ? id : formatGid(withNamespace(gid, namespace));
}

/** Truncates the text, without splitting a surrogate pair. */
function truncateText(text: string, maxCharacters = MAX_VALUE_CHARACTERS): string {
  return text.length <= maxCharacters ? text : `${[...text.slice(0, maxCharacters)].slice(0, -1).join('')}…`;
}

function truncateWord(text: string): string {
  return truncateText(text, MAX_WORD_CHARACTERS);
}
