/** The allowed and required events when a customer is erased during changes, as docs/webhooks.md describes them. */
import { MUTE } from './expected-facts.ts';
import type { Made, Receipt, RecordedEvent } from './recorded-event.ts';

export type Erasure = {
  /** The erasure ran between these times. */
  readonly fromMs: number;
  readonly doneMs: number;
  /** The customer's contracts that the service had read. */
  readonly known: readonly number[];
};

const SEARCHED_AFTER_MS = 3_600_000;
/** The events of a nightly reconciliation; an erased customer has none. */
const AHEAD: ReadonlySet<string> = new Set(['order.upcoming', 'payment_method.expiring']);

const contractOf = ({ contract }: Receipt) => Number(contract?.split('/').at(-1));

/** Returns the faults of an endpoint's events since the erasure. */
export function wronglySentSince(
  name: string,
  receipts: readonly Receipt[],
  { fromMs, doneMs, known }: Erasure,
): string[] {
  const erased = receipts.filter(({ type }) => type === 'customer.erased');
  const since = receipts.filter(({ atMs }) => atMs > doneMs);
  const named = since.filter((one) => one.customerId !== null || one.onBehalfOf !== null);
  const ahead = since.filter(({ type, happenedMs }) => AHEAD.has(type) && happenedMs > doneMs);
  const unrecorded = known.filter((contract) => !erased.some((one) => contractOf(one) === contract));
  const byContract = Map.groupBy(erased, ({ contract }) => contract);
  const doubled = [...byContract].filter(([, all]) => new Set(all.map(({ id }) => id)).size > 1);
  // After a crash the erasure restarts some minutes later, and its event has that time.
  const early = erased.filter(({ atMs }) => atMs < fromMs + SEARCHED_AFTER_MS);
  const nobodys = known.length > 0 ? erased.filter(({ contract }) => contract === null) : [];
  const wrongTime = erased.filter(({ happenedMs }) => happenedMs < fromMs || happenedMs > doneMs);
  return [
    ...named.map(({ id, type }) => `${name} got ${type} ${id} with the customer who was erased`),
    ...ahead.map(({ type, contract }) => `${name} got ${type} of ${contract}, whose customer was erased`),
    ...unrecorded.map((contract) => `${name} never got customer.erased of ${contract}`),
    ...doubled.map(([contract]) => `${name} got customer.erased of ${contract} as several`),
    ...nobodys.map(({ id }) => `${name} got customer.erased ${id} of no contract`),
    ...early.map(({ contract }) => `${name} got customer.erased of ${contract} before the search was over`),
    ...wrongTime.map(({ contract }) => `${name} got customer.erased of ${contract} with another time`),
  ];
}

/** Returns recorded external changes of erased customers; they must not be recorded. */
export function wronglyNoticed(recorded: readonly RecordedEvent[], { doneMs }: Erasure): string[] {
  return recorded
    .filter(({ action, createdAtMs }) => action === 'changed_elsewhere' && createdAtMs > doneMs)
    .map(({ id, contract }) => `${id} tells what others changed of ${contract}, whose customer was erased`);
}

/** Fields with text of people, or with data that identifies them: not recorded of an erased customer. */
const PERSONAL = /^(?:note|customAttributes|customerPaymentMethod|discounts\..+)$/;

/** Returns the service's own later changes that its timeline lacks. */
export function unrecordedOwn(made: readonly Made[], recorded: readonly RecordedEvent[]): string[] {
  const own = recorded
    .filter(({ actor }) => actor.kind !== 'UNKNOWN')
    .flatMap(({ contract, changes }) => changes.map(({ field, after }) => `${contract} ${field} ${after}`));
  return made
    .filter(
      ({ actor, isUncertain, field }) =>
        actor !== undefined && !isUncertain && !MUTE.has(field) && !PERSONAL.test(field),
    )
    .filter((one) => !isEffect(one, made))
    .map(({ contract, field, after }) => `${contract} ${field} ${after}`)
    .filter((one) => !own.includes(one) && !own.includes(one.replace(/ $/, ' null')))
    .map((one) => `nobody tells ${one}, of somebody who was erased`);
}

/** With another interval orders, prices and plans are others, too. */
function isEffect({ field, during }: Made, made: readonly Made[]): boolean {
  const isRescheduled = made.some((other) => other.during === during && other.field === 'billingPolicy');
  return isRescheduled && /^(?:billingCycles\.|lines\.|nextBillingDate$|deliveryPrice$)/.test(field);
}
