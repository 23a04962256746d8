/**
 * The facts of a subscription: fields with a value. A fact's row decides its group of event types, the JSON form of its
 * value, and whether the value stays when the customer is erased. Recorded texts have one form for each fact: intents,
 * entries, the recorded state and the platform's state are compared by them.
 */
import { hash } from 'node:crypto';
import { formatGid, gidTail } from '../domain/gid.ts';
import { formatInstant, parseInstant } from '../domain/instant.ts';

/** The change of a fact, as text. */
export type FactChange = {
  /** The schema coordinate of the fact's field, for example `SubscriptionContract.status`: it decides who may see the fact. */
  readonly coordinate: string;
  /** The client's `changes.field`, for example `status` or `lines.<id>.quantity`. */
  readonly field: string;
  /** The text before the change; null when the fact had no value, or is recorded without its value. */
  readonly before: string | null;
  readonly after: string | null;
  /** The names of a line's product before and after, for the entry's message. */
  readonly names?: FactValues | undefined;
};

type FactValues = Pick<FactChange, 'before' | 'after'>;
type Money = { readonly amount: string; readonly currencyCode: string };
type Frequency = { readonly interval: string; readonly intervalCount: number };

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

type FactJsonValue = string | number | boolean | null | { readonly [name: string]: string | number };

/** `isRetainedAfterErasure`: whether the value stays when the customer is erased. */
type FactKindFields = readonly [
  group: FactGroup,
  form: keyof typeof FACT_JSON_CONVERTERS,
  isRetainedAfterErasure: boolean,
];

/**
 * The recorded text of each form, and its JSON. Facts of the form `none` have no values in events, because they are
 * personal. Ids are recorded without their namespace.
 */
const FACT_JSON_CONVERTERS = {
  text: (text: string): FactJsonValue => text,
  none: (): FactJsonValue => null,
  boolean: (text: string): FactJsonValue => text === 'true',
  integer: (text: string): FactJsonValue => Number(text),
  instant: (text: string): FactJsonValue => normalizeInstantText(text),
  money: (text: string): FactJsonValue => {
    const [amount = '', currencyCode = ''] = text.split(' ');
    // The platform writes at least one digit after the point; recorded texts have no unnecessary digits.
    return { amount: amount.includes('.') ? amount : `${amount}.0`, currencyCode };
  },
  interval: (text: string): FactJsonValue => {
    const [count, interval = ''] = text.split(' ');
    return { interval, intervalCount: Number(count) };
  },
  variant: (text: string, namespace: string): FactJsonValue =>
    formatFactGid('ProductVariant', text, namespace),
  plan: (text: string, namespace: string): FactJsonValue => formatFactGid('SellingPlan', text, namespace),
  'payment method': (text: string, namespace: string): FactJsonValue =>
    formatFactGid('CustomerPaymentMethod', text, namespace),
} as const;

const [IS_PERSONAL, IS_RETAINED] = [false, true];

/** All facts, in the order in which docs/webhooks.md lists them. */
export const FACT_KINDS = [
  defineFactKind('status', ['status', 'text', IS_RETAINED], 'PAUSED'),
  defineFactKind('currentPause.resumesAt', ['status', 'instant', IS_RETAINED], '2026-12-24T00:00:00Z'),
  defineFactKind('currentPause.reason', ['status', 'none', IS_PERSONAL]),
  defineFactKind('billingPolicy', ['policies', 'interval', IS_RETAINED], '2 WEEK'),
  defineFactKind('deliveryPolicy', ['policies', 'interval', IS_RETAINED], '2 WEEK'),
  defineFactKind('nextBillingDate', ['other', 'instant', IS_RETAINED], '2026-12-01T10:00:00Z'),
  defineFactKind('deliveryPrice', ['delivery', 'money', IS_RETAINED], '4.9 USD'),
  defineFactKind('deliveryMethod', ['delivery', 'none', IS_PERSONAL]),
  defineFactKind('customerPaymentMethod', ['payment method', 'payment method', IS_PERSONAL], '0ab7c1'),
  defineFactKind('customerPaymentMethod.instrument', ['payment method', 'none', IS_PERSONAL]),
  defineFactKind('note', ['note', 'none', IS_PERSONAL]),
  defineFactKind('customAttributes', ['other', 'none', IS_PERSONAL]),
  defineFactKind('lines.*.quantity', ['lines', 'integer', IS_RETAINED], '2'),
  defineFactKind('lines.*.variantId', ['lines', 'variant', IS_RETAINED], '41'),
  defineFactKind('lines.*.sellingPlanId', ['lines', 'plan', IS_RETAINED], '51'),
  defineFactKind('lines.*.currentPrice', ['lines', 'money', IS_RETAINED], '13.5 USD'),
  defineFactKind('discounts.*', ['discounts', 'text', IS_PERSONAL], 'WELCOME10'),
  defineFactKind('billingCycles', ['other', 'none', IS_RETAINED]),
  defineFactKind('billingCycles.*.skipped', ['skip', 'boolean', IS_RETAINED], 'true'),
  defineFactKind(
    'billingCycles.*.billingAttemptExpectedDate',
    ['order date', 'instant', IS_RETAINED],
    '2026-12-01T10:00:00Z',
  ),
  defineFactKind('billingCycles.*.editedContract', ['other', 'instant', IS_RETAINED], '2026-12-01T10:00:00Z'),
] as const;

/** `field`: as in docs/webhooks.md, with `*` for an id or an index. `example`: a recorded value, for that page. */
function defineFactKind<Field extends string>(
  field: Field,
  [group, form, isRetainedAfterErasure]: FactKindFields,
  example = '',
) {
  return { field, group, form, isRetainedAfterErasure, example };
}

function schemaCoordinateOf(field: string): string {
  const [root = '', second = '', third = ''] = field.split('.');
  if (root === 'lines') return `SubscriptionLine.${third}`;
  if (root === 'billingCycles') {
    return third === '' ? 'SubscriptionContract.billingPolicy' : `SubscriptionBillingCycle.${third}`;
  }
  return root === 'currentPause' ? `SubscriptionPauseInfo.${second}` : `SubscriptionContract.${root}`;
}

const FACT_KIND_PATTERNS = FACT_KINDS.map((factKind) => ({
  kind: factKind,
  pattern: new RegExp(`^${factKind.field.replaceAll('.', '\\.').replace('*', '[^.]+')}$`),
}));

/** Returns the kind of a field's fact; undefined for a field that is no fact, such as a billing attempt. */
export function findFactKind(field: string): (typeof FACT_KINDS)[number] | undefined {
  return FACT_KIND_PATTERNS.find(({ pattern }) => pattern.test(field))?.kind;
}

/** Whether events report the fact as changed, without its values. */
export function isReportedWithoutValues(field: string): boolean {
  return findFactKind(field)?.form === 'none';
}

/** Converts a fact's text to its JSON value in the API. `namespace`: the namespace of its global ids. */
export function toFactJson(field: string, text: string | null, namespace: string): FactJsonValue {
  const form = findFactKind(field)?.form;
  return text === null || form === undefined ? null : FACT_JSON_CONVERTERS[form](text, namespace);
}

/**
 * Returns the text with which a fact is recorded: its value, or a hash of it if events report only that the fact has
 * changed. `salt`: the contract's number.
 */
export function hashUnlessReported(salt: string, field: string, text: string | null): string | null {
  return text === null || !isReportedWithoutValues(field) ? text : hashFactValue(salt, text);
}

/** Returns a hash that shows whether a value changed, but not the value. */
export function hashFactValue(salt: string, value: unknown): string {
  return hash('sha256', `${salt} ${JSON.stringify(value)}`, 'base64url').slice(0, 22);
}

function formatFactGid(type: string, tail: string, namespace: string): string {
  return formatGid({ namespace, type, tail });
}

/**
 * Returns the change of a fact, without values if none are given. Ids may be global ids.
 * @param values the recorded texts: dates as the platform writes them, `toIntervalText`, `toMoneyText`, `toAttributesText`
 */
export function createFact(
  field: string,
  { before, after, names }: FactValues & Pick<FactChange, 'names'> = { before: null, after: null },
): FactChange {
  const isId = FORMS_WITH_IDS.has(findFactKind(field)?.form);
  const textOf = (text: string | null) => (text !== null && isId ? gidTail(text) : text);
  const factChange = {
    coordinate: schemaCoordinateOf(field),
    field,
    before: textOf(before),
    after: textOf(after),
  };
  return names === undefined ? factChange : { ...factChange, names };
}

const FORMS_WITH_IDS: ReadonlySet<string | undefined> = new Set(['variant', 'plan', 'payment method']);

/** Returns the change of a fact of a line. `lineId`: a global id. An added line has no values before. */
export function createLineFact(
  lineId: string,
  name: 'quantity' | 'variantId' | 'sellingPlanId' | 'currentPrice',
  values: FactValues & Pick<FactChange, 'names'>,
): FactChange {
  return createFact(`lines.${gidTail(lineId)}.${name}`, values);
}

/** Formats an interval, for example `2 WEEK`. */
export function toIntervalText({ interval, intervalCount }: Frequency): string {
  return `${intervalCount} ${interval}`;
}

/** Formats an amount without trailing zeros, for example `4.9 EUR`: the platform writes varying numbers of zeros. */
export function toMoneyText({ amount, currencyCode }: Money): string {
  return `${Number(amount)} ${currencyCode}`;
}

/** Formats custom attributes by their names only: the values are the merchant's data. */
export function toAttributesText(attributes: readonly { readonly key: string }[]): string {
  return attributes.map(({ key }) => key).join(', ');
}

type ChangedFacts = { readonly changes: readonly FactChange[] };

/**
 * Returns the changes that can be compared with the contract's current state: those whose texts before and after differ. A
 * fact that is recorded without its value has the same text before and after.
 */
export function selectComparableChanges({ changes }: ChangedFacts): FactChange[] {
  return changes.filter(({ before, after }) => before !== after);
}

/** Whether both changes set at least one fact to the same value. */
export function haveSameFactValue(one: ChangedFacts, other: ChangedFacts): boolean {
  return selectComparableChanges(one).some(({ field, after }) => {
    const otherChange = findFactChange(other.changes, field);
    return otherChange !== undefined && isSameFactText(field, otherChange.after, after);
  });
}

/** Finds the change of a fact; undefined when the changes leave it unchanged. */
export function findFactChange(changes: readonly FactChange[], field: string): FactChange | undefined {
  return changes.find((one) => one.field === field && one.before !== one.after);
}

/** Whether two texts of a fact mean the same. */
export function isSameFactText(field: string, one: string | null, other: string | null): boolean {
  return one === other || normalizeFactText(field, one) === normalizeFactText(field, other);
}

/** Normalizes a text, so that equal facts have equal texts. */
function normalizeFactText(field: string, text: string | null): string | null {
  if (text === null) return null;
  // Only the presence of a discount counts, not its title.
  if (field.startsWith('discounts.')) return 'present';
  return /date$/i.test(field) ? normalizeInstantText(text) : text;
}

/** Formats an instant uniformly; returns any other text unchanged. */
function normalizeInstantText(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : formatInstant(instant);
}
