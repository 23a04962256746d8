/**
 * Erases a customer from entries and intents. Facts of the contract and the kind of the actor stay. Texts that people
 * wrote, and values that identify the person, are removed, like all details and fields that are not listed here.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CommonEventFields, EventActor } from './event-record.ts';
import type { FactChange } from './facts.ts';
import { findFactKind } from './facts.ts';

/** The parts of an entry or an intent that may name a person. */
export type RedactableFacts = Pick<CommonEventFields, 'actor' | 'details' | 'changes'>;
/** Whether a customer's number is the erased customer's. */
export type IsErasedCustomer = (customerId: unknown) => boolean;

/** The details that stay after an erasure: dates, numbers, codes of the schema, and the merchant's names of plans. */
const RETAINED_DETAILS: ReadonlySet<string> = new Set([
  ...['billingCycleIndex', 'expectedDate', 'billingDate', 'startDate', 'endDate', 'until', 'nextBillingDate'],
  ...[
    'interval',
    'intervalCount',
    'deliveryInterval',
    'deliveryIntervalCount',
    'sellingPlan',
    'movesOrder',
    'isSentNow',
  ],
  ...['editsAhead', 'errorCode', 'reasonCode', 'isEstimate', 'causedBy', 'tryCount', 'nextTryAt'],
  ...['notChargedReason', 'finalAction', 'firstNewCycleIndex'],
]);
/** The fields of billing cycles, and of the attempts to bill them. */
const CYCLE_FIELD_PATTERN = /^(?:billingCycles|billingAttempts)\..+$/;

/** Whether the values of a field do not concern a person. */
export function isNonPersonalField(field: string): boolean {
  return CYCLE_FIELD_PATTERN.test(field) || findFactKind(field)?.isRetainedAfterErasure === true;
}

/** Returns the entry or intent without the erased customer; the same object when nothing is removed. */
export function redactFacts<Facts extends RedactableFacts>(
  facts: Facts,
  isErasedCustomer: IsErasedCustomer,
): Facts {
  const redactedDetails = Object.fromEntries(
    Object.entries(facts.details).filter(([name]) => RETAINED_DETAILS.has(name)),
  );
  const redactedFacts = {
    ...facts,
    actor: redactEventActor(facts.actor, isErasedCustomer),
    details: redactedDetails,
    changes: facts.changes.map(redactFactValues),
  };
  return isDeepStrictEqual(redactedFacts, facts) ? facts : redactedFacts;
}

/** Returns the actor without the customer; the same object for another actor. */
export function redactEventActor(actor: EventActor, isErasedCustomer: IsErasedCustomer): EventActor {
  if (actor.kind !== 'CUSTOMER' || !isErasedCustomer(actor.customerId)) return actor;
  const { customerId: _gone, ...rest } = actor;
  return rest;
}

/** Removes the values of a fact about a person: it stays recorded as changed, like a delivery method. */
function redactFactValues(fact: FactChange): FactChange {
  if (isNonPersonalField(fact.field)) return fact;
  const { coordinate, field } = fact;
  return { coordinate, field, before: null, after: null };
}
