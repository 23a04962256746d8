/**
 * The facts of a subscription: fields with a value. This table decides what each of them is called in the schema, which type of
 * event reports it, how its value looks as JSON, and what may stay of it when its customer is erased.
 */
import { createHash } from 'node:crypto';
import { formatGid } from '../domain/gid.ts';
import { parseInstant } from '../domain/instant.ts';

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

/** How a recorded text looks as JSON. Facts of the form `none` have no values in events: people wrote them, or live there. */
const forms = {
  text: (text: string): Json => text,
  none: (): Json => null,
  boolean: (text: string): Json => text === 'true',
  integer: (text: string): Json => Number(text),
  instant: (text: string): Json => instantText(text),
  money: (text: string): Json => {
    const [amount = '', currencyCode = ''] = text.split(' ');
    // As the platform writes it, with one digit behind the point at least; recorded texts have none that is needless.
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

/** `field`: as docs/webhooks.md writes it, `*` stands for an id or an index; `example`: a recorded value, for that page. */
function kind<Field extends string>(field: Field, [group, form, isStored]: Kind, example = '') {
  return { field, group, form, isStored, example };
}

/** The fact's place in the service's schema: it decides who may see the fact. */
export function coordinateOf(field: string): string {
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

/** The kind of the fact that a field names; undefined when it names none, as for a billing attempt. */
export function factKind(field: string): (typeof FACT_KINDS)[number] | undefined {
  return patterns.find(({ pattern }) => pattern.test(field))?.kind;
}

/** Whether events report that the fact changed, without what it was and is. */
export function isValueless(field: string): boolean {
  return factKind(field)?.form === 'none';
}

/** The value as the API has it. `namespace`: of global ids. */
export function factJson(field: string, text: string | null, namespace: string): Json {
  const form = factKind(field)?.form;
  return text === null || form === undefined ? null : forms[form](text, namespace);
}

/** The text under which a fact is recorded: of a fact without values a hash. `salt`: the contract's number. */
export function recordedText(salt: string, field: string, text: string | null): string | null {
  return text === null || !isValueless(field) ? text : hashOf(salt, text);
}

/** A hash that tells whether a value changed, and not what it is. */
export function hashOf(salt: string, value: unknown): string {
  return createHash('sha256')
    .update(`${salt} ${JSON.stringify(value)}`)
    .digest('base64url')
    .slice(0, 22);
}

function instantText(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : new Date(instant).toISOString().replace('.000Z', 'Z');
}

function gidOf(type: string, tail: string, namespace: string): string {
  return formatGid({ namespace, type, tail });
}
