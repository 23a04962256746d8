/**
 * What of an entry or an intent may stay when its customer is erased: facts of the contract, by who it was as a kind. What
 * people wrote, and what names the person, leaves. So a detail or a field that is not listed here leaves, too.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ChangedFact } from './changed-fact.ts';
import type { EventActor, EventFacts } from './event-record.ts';
import { factKind } from './facts.ts';

export type TellingFacts = Pick<EventFacts, 'actor' | 'details' | 'changes'>;
/** Whether a customer's number is the erased customer's. */
export type IsPerson = (customerId: unknown) => boolean;

/** Dates, numbers, codes of the schema's, and names that the merchant gave to plans. */
const KEPT_DETAILS: ReadonlySet<string> = new Set([
  ...['billingCycleIndex', 'expectedDate', 'billingDate', 'startDate', 'endDate', 'until', 'nextBillingDate'],
  ...['interval', 'intervalCount', 'deliveryInterval', 'deliveryIntervalCount', 'sellingPlan', 'movesOrder'],
  ...['editsAhead', 'errorCode', 'reasonCode', 'isEstimate', 'causedBy'],
]);
/** Facts of a cycle, and the attempts to bill it. */
const OF_A_CYCLE = /^(?:billingCycles|billingAttempts)\..+$/;

/** Whether the values of a field say nothing of a person. */
export function isContractField(field: string): boolean {
  return OF_A_CYCLE.test(field) || factKind(field)?.isKept === true;
}

/** The facts without the person; the very same object, if there was nothing of one. */
export function forgetFacts<Facts extends TellingFacts>(facts: Facts, isPerson: IsPerson): Facts {
  const details = Object.fromEntries(
    Object.entries(facts.details).filter(([name]) => KEPT_DETAILS.has(name)),
  );
  const forgotten = {
    ...facts,
    actor: forgetActor(facts.actor, isPerson),
    details,
    changes: facts.changes.map(forgetValues),
  };
  return isDeepStrictEqual(forgotten, facts) ? facts : forgotten;
}

/** The actor by kind, with the key that acted; the very same, if it is somebody else. */
export function forgetActor(actor: EventActor, isPerson: IsPerson): EventActor {
  if (actor.kind !== 'CUSTOMER' || !isPerson(actor.customerId)) return actor;
  const { customerId: _gone, ...kept } = actor;
  return kept;
}

/** A fact is then told as changed, without values, like a delivery method. */
function forgetValues(fact: ChangedFact): ChangedFact {
  if (isContractField(fact.field)) return fact;
  const { coordinate, field } = fact;
  return { coordinate, field, before: null, after: null };
}
