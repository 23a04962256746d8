/**
 * Presents an entry for its reader. Customers see changes of facts that are open to them, the kind of the actor, and
 * their own reasons; merchants see everything.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import { formatGid } from '../../domain/gid.ts';
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Translate } from '../../messages/translator.ts';
import {
  adminKeyOfActor,
  contractGid,
  type EventActor,
  type EventRecord,
  formatEventGid,
} from '../event-record.ts';
import type { FactChange } from '../facts.ts';
import { escapeFormattedText, eventMessage } from './event-message.ts';

export type EventReader = {
  readonly kind: 'customer' | 'merchant';
  /** The reading customer. The contract may have had another customer before. */
  readonly customerId?: CustomerId | undefined;
  /** The namespace of the returned ids. */
  readonly gidNamespace: string;
  /** Translates into the reader's language, with days in the store's zone. */
  readonly translate: Translate;
  /** Whether customers may see this field of the schema, for example `SubscriptionContract.status`. */
  readonly isOpenToCustomers: (coordinate: string) => boolean;
};

/** The fields of SubscriptionEvent; the actor's customer has only an id. */
type EventView = {
  readonly id: string;
  readonly action: string;
  readonly appTitle: string | null;
  readonly attributeToApp: boolean;
  readonly attributeToUser: boolean;
  readonly createdAt: string;
  readonly criticalAlert: boolean;
  readonly message: string;
  readonly actor: ActorView;
  readonly contractId: string | null;
  readonly outcome: EventRecord['outcome'];
  readonly changes: readonly Pick<FactChange, 'field' | 'before' | 'after'>[];
  /** The code of a cancellation's reason. */
  readonly reason: string | null;
};

type ActorView = {
  readonly kind: EventActor['kind'];
  readonly customer: { readonly id: string } | null;
  readonly label: string | null;
};

const APP_TITLE = 'Subscription service';

/** Returns the entry as this reader sees it: in the reader's language, and without what only merchants see. */
export function presentEvent(record: EventRecord, reader: EventReader): EventView {
  const { number, contract, actor, outcome, createdAtMs, action } = record;
  const { reasonCode } = record.details;
  const isActorService = actor.kind === 'SERVICE';
  const visibleChanges = record.changes.filter(
    (fact) =>
      (reader.kind === 'merchant' || reader.isOpenToCustomers(fact.coordinate)) && !isSameOrderDate(fact),
  );
  return {
    id: formatEventGid(number, reader.gidNamespace),
    action,
    appTitle: isActorService ? APP_TITLE : null,
    attributeToApp: isActorService,
    attributeToUser: actor.kind === 'MERCHANT',
    createdAt: formatInstant(floorToSecond(createdAtMs)),
    // A person has to check whether the change was made.
    criticalAlert: outcome === 'UNKNOWN',
    message: translateEventMessage(
      action === 'changed_elsewhere' ? { ...record, changes: visibleChanges } : record,
      reader,
    ),
    actor: presentActor(actor, reader),
    contractId: contract === undefined ? null : contractGid(contract, reader.gidNamespace),
    outcome,
    changes: visibleChanges.map(({ field, before, after }) => ({ field, before, after })),
    reason: mayShareReason(actor, reader) && typeof reasonCode === 'string' ? reasonCode : null,
  };
}

/** Whether the fact is the date of a restored order that has the same date as before: it is not shown as a change. */
function isSameOrderDate({ field, before, after }: FactChange): boolean {
  return field.startsWith('billingCycles.') && before !== null && before === after;
}

/** Returns the actor as this reader sees it: customers do not see which merchant's key acted. */
function presentActor(actor: EventActor, reader: EventReader): ActorView {
  const { kind } = actor;
  const label = reader.kind === 'customer' ? null : (adminKeyOfActor(actor).label ?? null);
  if (kind !== 'CUSTOMER' || actor.customerId === undefined) return { kind, customer: null, label };
  const gid = { namespace: reader.gidNamespace, type: 'Customer', tail: String(actor.customerId) };
  return { kind, customer: { id: formatGid(gid) }, label };
}

function translateEventMessage(record: EventRecord, reader: EventReader): string {
  const { actor, details, outcome } = record;
  const { translate } = reader;
  const changeText = translate(eventMessage(record, actorMessage(actor, reader)));
  const reasonText = mayShareReason(actor, reader) ? translateReason(details, translate) : '';
  const reasonMarkup = reasonText === '' ? '' : ` <em>${escapeFormattedText(reasonText)}</em>`;
  const unknownOutcomeText = outcome === 'UNKNOWN' ? ` ${translate(message('outcomeUnknown'))}` : '';
  return `${changeText}${reasonMarkup}${unknownOutcomeText}`;
}

/** Translates the reason of a change: a code of the schema, with the customer's comment, or a text in older entries. */
function translateReason(
  { reason, reasonCode, comment }: EventRecord['details'],
  translate: Translate,
): string {
  const isReasonCode = typeof reasonCode === 'string' && comment !== undefined;
  const reasonTexts = isReasonCode
    ? [translate(message('cancelReason', { code: reasonCode })), comment]
    : [reason];
  return reasonTexts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}

function mayShareReason(actor: EventActor, reader: EventReader): boolean {
  return reader.kind === 'merchant' || isActorTheReader(actor, reader);
}

function isActorTheReader(actor: EventActor, { kind, customerId }: EventReader): boolean {
  return kind === 'customer' && actor.kind === 'CUSTOMER' && actor.customerId === customerId;
}

function actorMessage(actor: EventActor, reader: EventReader): Message {
  if (actor.kind === 'SERVICE') return message('whoService');
  if (actor.kind === 'UNKNOWN') return message('whoElsewhere');
  if (isActorTheReader(actor, reader)) return message('whoYou');
  if (reader.kind === 'customer')
    return actor.kind === 'CUSTOMER' ? message('whoCustomer') : message('whoStore');
  if (actor.label === undefined)
    return actor.kind === 'CUSTOMER' ? message('whoTheCustomer') : message('whoStore');
  const key = escapeFormattedText(actor.label);
  return actor.kind === 'MERCHANT' ? message('whoKey', { key }) : message('whoCustomerThrough', { key });
}
