/**
 * What of an entry or an intent may stay when its customer is erased: facts of the contract, by who it was as a kind. What
 * people wrote, and what names the person, leaves. So a detail or a field that is not listed here leaves, too.
 */
import { isDeepStrictEqual } from 'node:util';
import type { EventActor, EventFacts } from './event-record.ts';
import type { ChangedFact } from './facts.ts';
import { factKind } from './facts.ts';

export type RecordedFacts = Pick<EventFacts, 'actor' | 'details' | 'changes'>;
/** Whether a customer's number is the erased customer's. */
export type IsPerson = (customerId: unknown) => boolean;

/** Dates, numbers, codes of the schema's, and names that the merchant gave to plans. */
const RETAINED_DETAILS: ReadonlySet<string> = new Set([
  ...['billingCycleIndex', 'expectedDate', 'billingDate', 'startDate', 'endDate', 'until', 'nextBillingDate'],
  ...['interval', 'intervalCount', 'deliveryInterval', 'deliveryIntervalCount', 'sellingPlan', 'movesOrder'],
  ...['editsAhead', 'errorCode', 'reasonCode', 'isEstimate', 'causedBy'],
]);
/** Facts of a cycle, and the attempts to bill it. */
const OF_A_CYCLE = /^(?:billingCycles|billingAttempts)\..+$/;

/** Whether the values of a field say nothing of a person. */
export function isContractField(field: string): boolean {
  return OF_A_CYCLE.test(field) || factKind(field)?.isStored === true;
}

/** The facts without the person; the very same object, if there was nothing of one. */
export function eraseFacts<Facts extends RecordedFacts>(facts: Facts, isPerson: IsPerson): Facts {
  const details = Object.fromEntries(
    Object.entries(facts.details).filter(([name]) => RETAINED_DETAILS.has(name)),
  );
  const erased = {
    ...facts,
    actor: eraseActor(facts.actor, isPerson),
    details,
    changes: facts.changes.map(eraseValues),
  };
  return isDeepStrictEqual(erased, facts) ? facts : erased;
}

/** The actor by kind, with the key that acted; the very same, if it is somebody else. */
export function eraseActor(actor: EventActor, isPerson: IsPerson): EventActor {
  if (actor.kind !== 'CUSTOMER' || !isPerson(actor.customerId)) return actor;
  const { customerId: _gone, ...rest } = actor;
  return rest;
}

/** A fact is then told as changed, without values, like a delivery method. */
function eraseValues(fact: ChangedFact): ChangedFact {
  if (isContractField(fact.field)) return fact;
  const { coordinate, field } = fact;
  return { coordinate, field, before: null, after: null };
}
