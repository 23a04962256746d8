/**
 * The facts of a subscription: fields with a value. A fact's row decides its group of event types, the JSON form of its
 * value, and whether the value stays when the customer is erased. Recorded texts have one form for each fact: intents,
 * entries, the recorded state and the platform's state are compared by them.
 */
import { createHash } from 'node:crypto';
import { formatGid, gidTail } from '../domain/gid.ts';
import { formatInstant, parseInstant } from '../domain/instant.ts';

/** The change of a fact, as text. */
export type ChangedFact = {
  /** The fact's place in the service's schema, for example `SubscriptionContract.status`: it decides who may see it. */
  readonly coordinate: string;
  /** The client's `changes.field`, for example `status` or `lines.<id>.quantity`. */
  readonly field: string;
  /** Null when the fact has no value, or is recorded without its value. */
  readonly before: string | null;
  readonly after: string | null;
  /** The names of a line's product before and after, for the entry's message. */
  readonly names?: Values | undefined;
};

type Values = Pick<ChangedFact, 'before' | 'after'>;
type Money = { readonly amount: string; readonly currencyCode: string };
type Interval = { readonly interval: string; readonly intervalCount: number };

/** Facts of one group are reported by one event. */
export type FactGroup =
  | 'status'
  | 'lines'
  | 'policies'
  | 'delivery'
  | 'payment method'
  | 'discounts'
  | 'note'
  | 'skip'
  | 'order date'
  | 'other';

type Json = string | number | boolean | null | { readonly [name: string]: string | number };

/** `isStored`: whether the value stays when the customer is erased. */
type Kind = readonly [group: FactGroup, form: keyof typeof forms, isStored: boolean];

/**
 * The recorded text of each form, and its JSON. Facts of the form `none` have no values in events, because they are
 * personal. Ids are recorded without their namespace.
 */
const forms = {
  text: (text: string): Json => text,
  none: (): Json => null,
  boolean: (text: string): Json => text === 'true',
  integer: (text: string): Json => Number(text),
  instant: (text: string): Json => isoText(text),
  money: (text: string): Json => {
    const [amount = '', currencyCode = ''] = text.split(' ');
    // The platform writes at least one digit after the point; recorded texts have no unnecessary digits.
    return { amount: amount.includes('.') ? amount : `${amount}.0`, currencyCode };
  },
  interval: (text: string): Json => {
    const [count, interval = ''] = text.split(' ');
    return { interval, intervalCount: Number(count) };
  },
  variant: (text: string, namespace: string): Json => gidOf('ProductVariant', text, namespace),
  plan: (text: string, namespace: string): Json => gidOf('SellingPlan', text, namespace),
  'payment method': (text: string, namespace: string): Json =>
    gidOf('CustomerPaymentMethod', text, namespace),
} as const;

const [OF_A_PERSON, OF_THE_CONTRACT] = [false, true];

/** All facts, in the order in which docs/webhooks.md lists them. */
export const FACT_KINDS = [
  kind('status', ['status', 'text', OF_THE_CONTRACT], 'PAUSED'),
  kind('currentPause.resumesAt', ['status', 'instant', OF_THE_CONTRACT], '2026-12-24T00:00:00Z'),
  kind('currentPause.reason', ['status', 'none', OF_A_PERSON]),
  kind('billingPolicy', ['policies', 'interval', OF_THE_CONTRACT], '2 WEEK'),
  kind('deliveryPolicy', ['policies', 'interval', OF_THE_CONTRACT], '2 WEEK'),
  kind('nextBillingDate', ['other', 'instant', OF_THE_CONTRACT], '2026-12-01T10:00:00Z'),
  kind('deliveryPrice', ['delivery', 'money', OF_THE_CONTRACT], '4.9 USD'),
  kind('deliveryMethod', ['delivery', 'none', OF_A_PERSON]),
  kind('customerPaymentMethod', ['payment method', 'payment method', OF_A_PERSON], '0ab7c1'),
  kind('customerPaymentMethod.instrument', ['payment method', 'none', OF_A_PERSON]),
  kind('note', ['note', 'none', OF_A_PERSON]),
  kind('customAttributes', ['other', 'none', OF_A_PERSON]),
  kind('lines.*.quantity', ['lines', 'integer', OF_THE_CONTRACT], '2'),
  kind('lines.*.variantId', ['lines', 'variant', OF_THE_CONTRACT], '41'),
  kind('lines.*.sellingPlanId', ['lines', 'plan', OF_THE_CONTRACT], '51'),
  kind('lines.*.currentPrice', ['lines', 'money', OF_THE_CONTRACT], '13.5 USD'),
  kind('discounts.*', ['discounts', 'text', OF_A_PERSON], 'WELCOME10'),
  kind('billingCycles', ['other', 'none', OF_THE_CONTRACT]),
  kind('billingCycles.*.skipped', ['skip', 'boolean', OF_THE_CONTRACT], 'true'),
  kind(
    'billingCycles.*.billingAttemptExpectedDate',
    ['order date', 'instant', OF_THE_CONTRACT],
    '2026-12-01T10:00:00Z',
  ),
  kind('billingCycles.*.editedContract', ['other', 'instant', OF_THE_CONTRACT], '2026-12-01T10:00:00Z'),
] as const;

/** `field`: as in docs/webhooks.md, with `*` for an id or an index. `example`: a recorded value, for that page. */
function kind<Field extends string>(field: Field, [group, form, isStored]: Kind, example = '') {
  return { field, group, form, isStored, example };
}

function coordinateOf(field: string): string {
  const [root = '', second = '', third = ''] = field.split('.');
  if (root === 'lines') return `SubscriptionLine.${third}`;
  if (root === 'billingCycles') {
    return third === '' ? 'SubscriptionContract.billingPolicy' : `SubscriptionBillingCycle.${third}`;
  }
  return root === 'currentPause' ? `SubscriptionPauseInfo.${second}` : `SubscriptionContract.${root}`;
}

const patterns = FACT_KINDS.map((of) => ({
  kind: of,
  pattern: new RegExp(`^${of.field.replaceAll('.', '\\.').replace('*', '[^.]+')}$`),
}));

/** Returns the kind of a field's fact; undefined for a field that is no fact, such as a billing attempt. */
export function factKind(field: string): (typeof FACT_KINDS)[number] | undefined {
  return patterns.find(({ pattern }) => pattern.test(field))?.kind;
}

/** Whether events report the fact as changed, without its values. */
export function isReportedWithoutValues(field: string): boolean {
  return factKind(field)?.form === 'none';
}

/** Returns the value in the JSON form of the API. `namespace`: of global ids. */
export function toFactJson(field: string, text: string | null, namespace: string): Json {
  const form = factKind(field)?.form;
  return text === null || form === undefined ? null : forms[form](text, namespace);
}

/** Returns the recorded text of a fact: a hash for a fact without values. `salt`: the contract's number. */
export function toRecordedText(salt: string, field: string, text: string | null): string | null {
  return text === null || !isReportedWithoutValues(field) ? text : hashFactValue(salt, text);
}

/** Returns a hash that shows whether a value changed, but not the value. */
export function hashFactValue(salt: string, value: unknown): string {
  return createHash('sha256')
    .update(`${salt} ${JSON.stringify(value)}`)
    .digest('base64url')
    .slice(0, 22);
}

function gidOf(type: string, tail: string, namespace: string): string {
  return formatGid({ namespace, type, tail });
}

/**
 * Returns the change of a fact, without values if none are given. Ids may be global ids.
 * @param values the recorded texts: dates as the platform writes them, `intervalText`, `moneyText`, `attributesText`
 */
export function createFact(
  field: string,
  { before, after, names }: Values & Pick<ChangedFact, 'names'> = { before: null, after: null },
): ChangedFact {
  const isId = ID_FORMS.has(factKind(field)?.form);
  const textOf = (text: string | null) => (text !== null && isId ? gidTail(text) : text);
  const change = { coordinate: coordinateOf(field), field, before: textOf(before), after: textOf(after) };
  return names === undefined ? change : { ...change, names };
}

const ID_FORMS: ReadonlySet<string | undefined> = new Set(['variant', 'plan', 'payment method']);

/** Returns the change of a fact of a line. `lineId`: a global id. An added line has no values before. */
export function createLineFact(
  lineId: string,
  name: 'quantity' | 'variantId' | 'sellingPlanId' | 'currentPrice',
  values: Values & Pick<ChangedFact, 'names'>,
): ChangedFact {
  return createFact(`lines.${gidTail(lineId)}.${name}`, values);
}

/** For example `2 WEEK`. */
export function intervalText({ interval, intervalCount }: Interval): string {
  return `${intervalCount} ${interval}`;
}

/** For example `4.9 EUR`: the platform writes amounts with more or fewer zeros. */
export function moneyText({ amount, currencyCode }: Money): string {
  return `${Number(amount)} ${currencyCode}`;
}

/** Only the names: the values belong to the merchant. */
export function attributesText(attributes: readonly { readonly key: string }[]): string {
  return attributes.map(({ key }) => key).join(', ');
}

type Changes = { readonly changes: readonly ChangedFact[] };

/** Returns the facts that can be compared with the contract's real state. */
export function comparableFacts({ changes }: Changes): ChangedFact[] {
  return changes.filter(({ before, after }) => before !== after);
}

/** Whether both changes set a fact to the same value. */
export function haveSameFactValue(one: Changes, other: Changes): boolean {
  return comparableFacts(one).some(({ field, after }) => {
    const found = findFactChange(other.changes, field);
    return found !== undefined && isSameFactText(field, found.after, after);
  });
}

/** Finds the change of a fact; undefined when the changes leave it unchanged. */
export function findFactChange(changes: readonly ChangedFact[], field: string): ChangedFact | undefined {
  return changes.find((one) => one.field === field && one.before !== one.after);
}

/** Whether two texts of a fact mean the same. */
export function isSameFactText(field: string, one: string | null, other: string | null): boolean {
  return factText(field, one) === factText(field, other);
}

/** Normalizes a text, so that equal facts have equal texts. */
function factText(field: string, text: string | null): string | null {
  if (text === null) return null;
  // Only the presence of a discount counts, not its title.
  if (field.startsWith('discounts.')) return 'present';
  return /date$/i.test(field) ? isoText(text) : text;
}

/** The same instant in one form; any other text unchanged. */
function isoText(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : formatInstant(instant);
}
