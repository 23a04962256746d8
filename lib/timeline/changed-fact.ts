/**
 * The facts of a contract that changes are told in. One form for each, because the scheduled work compares them with
 * the contract's real state (real-state.ts) to settle an intent that was left open.
 */
import { parseGid } from '../domain/gid.ts';
import { parseInstant } from '../domain/instant.ts';
import { coordinateOf } from './facts.ts';

/** A fact of the contract that a change touches, as text; `coordinate` decides who may see it. */
export type ChangedFact = {
  /** The fact's place in the service's schema, for example `SubscriptionContract.status`. */
  readonly coordinate: string;
  /**
   * What the client reads in `changes.field`, for example `status` or `lines.<id>.quantity`: see the functions below.
   */
  readonly field: string;
  /** The value before the change, or null when it had no value or is recorded without one. */
  readonly before: string | null;
  readonly after: string | null;
  /** The names of a line's product before and after, for the words of the entry. */
  readonly names?: { readonly before: string | null; readonly after: string | null };
};

/** A value that is null is not there. */
type Values = { readonly before: string | null; readonly after: string | null };
type Money = { readonly amount: string; readonly currencyCode: string };
type Interval = { readonly interval: string; readonly intervalCount: number };

/** `ACTIVE` → `PAUSED`. */
export function statusFact(values: Values): ChangedFact {
  return factOf('status', values);
}

/** When a pause ends by itself, a date as the platform writes them: kept here, not at the platform. */
export function pauseEndFact(values: Values): ChangedFact {
  return factOf('currentPause.resumesAt', values);
}

/** What people wrote is told as changed, without values. */
export function pauseReasonFact(): ChangedFact {
  return factOf('currentPause.reason', { before: null, after: null });
}

/** Dates as the platform writes them. */
export function nextBillingDateFact(values: Values): ChangedFact {
  return factOf('nextBillingDate', values);
}

/** `2 WEEK`: see `intervalText`. */
export function billingIntervalFact(values: Values): ChangedFact {
  return factOf('billingPolicy', values);
}

/** `2 WEEK`: see `intervalText`. */
export function deliveryIntervalFact(values: Values): ChangedFact {
  return factOf('deliveryPolicy', values);
}

/** `4.90 EUR`: see `moneyText`. */
export function deliveryPriceFact(values: Values): ChangedFact {
  return factOf('deliveryPrice', values);
}

/** A delivery method holds a person's address, so it is told as changed, without values. */
export function deliveryMethodFact(): ChangedFact {
  return factOf('deliveryMethod', { before: null, after: null });
}

/** Ids of payment methods. */
export function paymentMethodFact(ids: Values): ChangedFact {
  return factOf('customerPaymentMethod', tailsOf(ids));
}

export function contractNoteFact(values: Values): ChangedFact {
  return factOf('note', values);
}

/** How many custom attributes there are, and their names: see `attributesText`. */
export function customAttributesFact(values: Values): ChangedFact {
  return factOf('customAttributes', values);
}

/** Quantities as text. A line that is added has none before, one that is removed none after. `names`: the product's. */
export function lineQuantityFact(lineId: string, values: Values, names?: Values): ChangedFact {
  return { ...factOf(`lines.${tailOf(lineId)}.quantity`, values), ...(names && { names }) };
}

/** Ids of variants. `names`: the products'. */
export function lineVariantFact(lineId: string, ids: Values, names?: Values): ChangedFact {
  return { ...factOf(`lines.${tailOf(lineId)}.variantId`, tailsOf(ids)), ...(names && { names }) };
}

/** Ids of selling plans. */
export function linePlanFact(lineId: string, ids: Values): ChangedFact {
  return factOf(`lines.${tailOf(lineId)}.sellingPlanId`, tailsOf(ids));
}

/** `4.90 EUR`: see `moneyText`. */
export function linePriceFact(lineId: string, values: Values): ChangedFact {
  return factOf(`lines.${tailOf(lineId)}.currentPrice`, values);
}

/** Titles of a discount: none before it is applied, none after it is removed. `names`: where it goes with its lines. */
export function discountFact(discountId: string, values: Values, names?: Values): ChangedFact {
  return { ...factOf(`discounts.${tailOf(discountId)}`, values), ...(names && { names }) };
}

/** `true` and `false`. */
export function cycleSkippedFact(cycleIndex: number, values: Values): ChangedFact {
  return factOf(`billingCycles.${cycleIndex}.skipped`, values);
}

/** Dates as the platform writes them. */
export function cycleDateFact(cycleIndex: number, values: Values): ChangedFact {
  return factOf(`billingCycles.${cycleIndex}.billingAttemptExpectedDate`, values);
}

/** The billing attempt that was made: the end of its id. */
export function cycleAttemptsFact(cycleIndex: number, values: Values): ChangedFact {
  return factOf(`billingCycles.${cycleIndex}.billingAttempts`, values);
}

/** The fact of any of the fields above. */
export function factOf(field: string, values: Values): ChangedFact {
  return { coordinate: coordinateOf(field), field, ...values };
}

export function intervalText({ interval, intervalCount }: Interval): string {
  return `${intervalCount} ${interval}`;
}

/** The platform writes amounts with more or fewer zeros. */
export function moneyText({ amount, currencyCode }: Money): string {
  return `${Number(amount)} ${currencyCode}`;
}

/** Names alone: the values are the merchant's. */
export function attributesText(attributes: readonly { readonly key: string }[]): string {
  return attributes.map(({ key }) => key).join(', ');
}

type Changes = { readonly changes: readonly ChangedFact[] };

/** Returns the facts that can be compared with the contract's real state. */
export function comparableFacts({ changes }: Changes): ChangedFact[] {
  return changes.filter(({ before, after }) => before !== after);
}

/** Whether both were to bring a fact to the same end. */
export function haveSameEnd(one: Changes, other: Changes): boolean {
  return comparableFacts(one).some(({ field, after }) => {
    const found = changeOf(other.changes, field);
    return found !== undefined && isSameText(field, found.after, after);
  });
}

/** The change of a fact among these; undefined: they leave it as it is. */
export function changeOf(changes: readonly ChangedFact[], field: string): ChangedFact | undefined {
  return changes.find((one) => one.field === field && one.before !== one.after);
}

/** Whether two texts of a fact mean the same. */
export function isSameText(field: string, one: string | null, other: string | null): boolean {
  return factText(field, one) === factText(field, other);
}

/** A fact's text so that equal facts have equal texts, whoever wrote them. */
function factText(field: string, text: string | null): string | null {
  if (text === null) return null;
  // A discount is there or not, whatever it is called.
  if (field.startsWith('discounts.')) return 'there';
  return /date$/i.test(field) ? isoText(text) : text;
}

function isoText(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : new Date(instant).toISOString();
}

function tailsOf({ before, after }: Values): Values {
  return { before: tailOf(before), after: tailOf(after) };
}

/** A global id without its namespace, which differs between clients and platform. */
function tailOf(id: string): string;
function tailOf(id: string | null): string | null;
function tailOf(id: string | null): string | null {
  return id === null ? null : (parseGid(id)?.tail ?? id);
}
