/**
 * Decides how an erasure changes the items of the customer's contracts. The items stay as facts about the contract,
 * without the customer and without free texts. Writes nothing.
 */
import type { ScheduledTask } from '../storage/scheduled-tasks.ts';
import {
  ERASED_CONTRACT_STATE,
  isCustomerSnapshotItem,
  PERSONAL_SNAPSHOT_ATTRIBUTES,
} from '../storage/stream/snapshot-key.ts';
import { type StoreEvent, withoutCustomerData } from '../storage/stream/stream-record.ts';
import type { Item } from '../storage/table.ts';
import type { Observation } from '../timeline/append/observation.ts';
import type { EventNotice, QueuedTimelineItem } from '../timeline/append/queue-item.ts';
import type { EventActor } from '../timeline/event-record.ts';
import { MAX_INTENT_IN_FLIGHT_MS, type OpenIntent, toOpenIntent } from '../timeline/intent.ts';
import {
  isNonPersonalField,
  type RedactableFacts,
  redactEventActor,
  redactFacts,
} from '../timeline/redact-facts.ts';
import type { ErasureSubject, ItemErasure } from './erasure-subject.ts';

const HOUR_MS = 3_600_000;

type ContractItemFields = {
  readonly contract?: unknown;
  readonly actor?: EventActor;
  readonly createdAtMs?: unknown;
};

/** Whether the item belongs to one of the customer's contracts, or the customer was the actor. */
function isItemAboutCustomer(
  { contract, actor }: ContractItemFields,
  { contracts, isSubjectCustomer: isPerson }: ErasureSubject,
): boolean {
  const isOfCustomer = typeof contract === 'string' && contracts.has(contract);
  return isOfCustomer || (actor?.kind === 'CUSTOMER' && isPerson(actor.customerId));
}

/**
 * Decides how to erase the customer from a timeline entry. An item that is stored next to the entries (its sort key
 * starts with `~`) is removed or kept as a whole.
 */
export function decideTimelineItemErasure(item: Item, subject: ErasureSubject): ItemErasure {
  if (item.sk.startsWith('~')) return decideUnfinishedItemErasure(item, subject);
  if (
    !isItemAboutCustomer(item as ContractItemFields, subject) ||
    Number(item.createdAtMs) >= subject.eraseBeforeMs
  )
    return 'keep';
  const redactableItem = item as unknown as RedactableFacts & Pick<Item, 'action' | 'outcome'>;
  const { actor, details, changes } = redactFacts(redactableItem, subject.isSubjectCustomer);
  if (
    actor === redactableItem.actor &&
    details === redactableItem.details &&
    changes === redactableItem.changes
  )
    return 'keep';
  return {
    update: 'SET #actor = :actor, #details = :details, #changes = :changes, isForgotten = :true',
    // Do not overwrite a charge's entry that was concurrently completed with the result of its attempt.
    condition: '#action = :action AND #outcome = :outcome',
    names: {
      '#actor': 'actor',
      '#details': 'details',
      '#changes': 'changes',
      '#action': 'action',
      '#outcome': 'outcome',
    },
    values: {
      ':actor': actor,
      ':details': details,
      ':changes': changes,
      ':true': true,
      ':action': redactableItem.action,
      ':outcome': redactableItem.outcome,
    },
  };
}

/**
 * Returns `keep` for an item about a field of the contract, which identifies no person, and `remove` for others, such
 * as a used discount code, which may.
 */
function decideUnfinishedItemErasure({ pk, sk }: Item, { contracts }: ErasureSubject): ItemErasure {
  const isOfCustomer = contracts.has(pk.split('#')[2] ?? '');
  return isOfCustomer && !isNonPersonalField(sk.slice(1)) ? 'remove' : 'keep';
}

/**
 * Decides how to erase the customer from a stream event without a timeline entry. An event with an entry needs no
 * change, because it is built from its entry when it is sent.
 */
export function decideStreamEventErasure(
  item: Item,
  { isSubjectCustomer: isPerson, contracts }: ErasureSubject,
): ItemErasure {
  const event = item.event as StoreEvent | undefined;
  if (event === undefined) return 'keep';
  const isOfCustomer = isPerson(event.customerId) || contracts.has(String(item.contract));
  if (!isOfCustomer || (event.customerId === undefined && event.paymentMethodId === undefined)) return 'keep';
  return {
    update: 'SET #event = :event',
    condition: 'attribute_exists(pk)',
    names: { '#event': 'event' },
    values: { ':event': withoutCustomerData(event) },
  };
}

/**
 * Returns `remove` for the claim of a charge, whose idempotency key may name a person, unless a request may still use
 * the claim.
 */
export function decideChargeClaimErasure(
  { pk, untilMs }: Item,
  { contracts, nowMs }: ErasureSubject,
): ItemErasure {
  const isOfCustomer = contracts.has(pk.split('#')[2] ?? '');
  return isOfCustomer && Number(untilMs) + MAX_INTENT_IN_FLIGHT_MS < nowMs ? 'remove' : 'keep';
}

/**
 * Returns the change that removes end and reason of a pause. The contract stays paused: an erased customer has not
 * agreed to further charges.
 */
export function decidePauseErasure(item: Item, subject: ErasureSubject): ItemErasure {
  const pausedBy = item.pausedBy as EventActor | undefined;
  const setBy = item.setBy as EventActor;
  const isOfCustomer =
    isItemAboutCustomer({ contract: String(item.contractNumber), actor: setBy }, subject) ||
    isItemAboutCustomer({ ...(pausedBy && { actor: pausedBy }) }, subject);
  if (!isOfCustomer || Number(item.setAtMs) >= subject.eraseBeforeMs) return 'keep';
  const redactedActors = {
    pausedBy: pausedBy && redactEventActor(pausedBy, subject.isSubjectCustomer),
    setBy: redactEventActor(setBy, subject.isSubjectCustomer),
  };
  const areActorsUnchanged = redactedActors.setBy === setBy && redactedActors.pausedBy === pausedBy;
  if (areActorsUnchanged && item.reason === undefined && item.resumesAtMs === undefined) return 'keep';
  return {
    update: `SET setBy = :setBy${redactedActors.pausedBy ? ', pausedBy = :pausedBy' : ''} REMOVE reason, resumesAtMs`,
    condition: 'pauseId = :pauseId',
    values: {
      ':setBy': redactedActors.setBy,
      ...(redactedActors.pausedBy && { ':pausedBy': redactedActors.pausedBy }),
      ':pauseId': item.pauseId,
    },
  };
}

/**
 * Decides how to erase the customer from a scheduled task. The end of a pause is removed. An open intent stays, without the
 * customer, because its outcome must still be decided.
 */
export function decideScheduledTaskErasure(item: Item, subject: ErasureSubject): ItemErasure {
  if (item.payload === undefined) return 'keep';
  const scheduledTask = item as unknown as ScheduledTask;
  if (scheduledTask.kind === 'pause')
    return subject.contracts.has(String(scheduledTask.payload.contractNumber)) ? 'remove' : 'keep';
  if (scheduledTask.kind !== 'intent' && scheduledTask.kind !== 'charge') return 'keep';
  const { observation, notice } = scheduledTask.payload as Partial<
    Pick<QueuedTimelineItem, 'observation' | 'notice'>
  >;
  if (observation !== undefined) return decideObservationErasure(observation, subject);
  if (notice !== undefined) return decideNoticeErasure(scheduledTask, notice, subject);
  const isIntentTask = scheduledTask.kind === 'intent';
  const intent = isIntentTask ? toOpenIntent(scheduledTask) : (scheduledTask.payload.intent as OpenIntent);
  const intentOfContract = { ...intent, contract: intent.made ?? intent.contract };
  if (!isItemAboutCustomer(intentOfContract, subject) || intent.createdAtMs >= subject.eraseBeforeMs)
    return 'keep';
  const redactedIntent = decideIntentErasure(intent, { isOpen: isIntentTask, subject });
  if (redactedIntent === intent) return 'keep';
  return {
    update: 'SET #payload = :payload',
    condition: 'attribute_exists(pk) AND id = :id',
    names: { '#payload': 'payload' },
    values: {
      ':payload': isIntentTask ? redactedIntent : { ...scheduledTask.payload, intent: redactedIntent },
      ':id': scheduledTask.id,
    },
  };
}

/**
 * Returns `remove` for an observation of the contract that is not appended yet. The contract is observed again, without
 * personal data.
 */
function decideObservationErasure(
  observation: Observation,
  { contracts, isSubjectCustomer: isPerson, eraseBeforeMs: beforeMs }: ErasureSubject,
): ItemErasure {
  const isOfCustomer = isPerson(observation.customerId) || contracts.has(observation.contract);
  return isOfCustomer && observation.isForgotten !== true && observation.startedAtMs < beforeMs
    ? 'remove'
    : 'keep';
}

/**
 * Decides how to erase the customer from a notice (an event without a timeline entry) that is not appended to the
 * stream yet.
 */
function decideNoticeErasure(
  scheduledTask: ScheduledTask,
  { event, contract, ...otherNoticeFields }: EventNotice,
  { contracts, isSubjectCustomer: isPerson }: ErasureSubject,
): ItemErasure {
  const isOfCustomer = isPerson(event.customerId) || contracts.has(String(contract));
  if (!isOfCustomer || (event.customerId === undefined && event.paymentMethodId === undefined)) return 'keep';
  const { expiringTold: _card, ...remainingFields } = otherNoticeFields;
  return {
    update: 'SET #payload = :payload',
    condition: 'attribute_exists(pk) AND id = :id',
    names: { '#payload': 'payload' },
    values: {
      ':payload': {
        ...scheduledTask.payload,
        notice: { ...remainingFields, contract, event: withoutCustomerData(event) },
      },
      ':id': scheduledTask.id,
    },
  };
}

/**
 * Decides how to erase the customer from an intent. An open intent keeps its changed values and the idempotency key of
 * its charge until it is an hour old, because they are needed to decide its outcome.
 */
function decideIntentErasure(
  intent: OpenIntent,
  { isOpen, subject }: { readonly isOpen: boolean; readonly subject: ErasureSubject },
): OpenIntent {
  const redactedFacts = redactFacts(intent, subject.isSubjectCustomer);
  if (!isOpen || intent.createdAtMs + HOUR_MS <= subject.nowMs) return redactedFacts;
  const { idempotencyKey } = intent.details;
  const details = { ...redactedFacts.details, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  const isNothingRedacted =
    Object.keys(details).length === Object.keys(intent.details).length &&
    redactedFacts.actor === intent.actor;
  return isNothingRedacted ? intent : { ...redactedFacts, details, changes: intent.changes };
}

/**
 * Returns the change that empties a contract's snapshot: only the fact that the contract was observed remains. Returns
 * `remove` for the index item of a snapshot by customer.
 */
export function decideSnapshotErasure(
  item: Item,
  { isSubjectCustomer: isPerson, contracts, eraseBeforeMs: beforeMs, nowMs }: ErasureSubject,
): ItemErasure {
  const isCustomerIndexItem = isCustomerSnapshotItem(item);
  const isOfCustomer = isPerson(item.customerId) || (!isCustomerIndexItem && contracts.has(item.sk));
  const readAtMs = Number(item.readAtMs ?? item.observedFromMs);
  if (!isOfCustomer || item.isForgotten === true || readAtMs >= beforeMs) return 'keep';
  if (isCustomerIndexItem) return 'remove';
  const erasedState = { ...ERASED_CONTRACT_STATE, forgottenAtMs: nowMs, version: Number(item.version) + 1 };
  const stateAttributes = Object.keys(erasedState);
  return {
    update: `SET ${stateAttributes.map((name) => `#${name} = :${name}`).join(', ')} REMOVE ${PERSONAL_SNAPSHOT_ATTRIBUTES.map((name) => `#${name}`).join(', ')}`,
    condition: 'version = :before',
    names: Object.fromEntries(
      [...stateAttributes, ...PERSONAL_SNAPSHOT_ATTRIBUTES].map((name) => [`#${name}`, name]),
    ),
    values: {
      ...Object.fromEntries(Object.entries(erasedState).map(([name, value]) => [`:${name}`, value])),
      ':before': item.version,
    },
  };
}
