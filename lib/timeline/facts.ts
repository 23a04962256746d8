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

type FactKind = {
  /** As docs/webhooks.md writes the field; `*` stands for an id or an index. */
  readonly field: string;
  /** The fact's place in the service's schema: it decides who may see the fact. */
  readonly coordinate: string;
  readonly group: FactGroup;
  readonly form: keyof typeof forms;
  /** What it is, for docs/webhooks.md. */
  readonly meaning: string;
  /** A recorded value, for docs/webhooks.md. */
  readonly example: string;
  /** Whether the value stays when the customer is erased. */
  readonly isKept?: true;
};

/** How a recorded text looks as JSON. Facts of the form `none` have no values in events: people wrote them, or live there. */
const forms = {
  text: (text: string): Json => text,
  none: (): Json => null,
  boolean: (text: string): Json => text === 'true',
  integer: (text: string): Json => Number(text),
  instant: (text: string): Json => instantText(text),
  money: (text: string): Json => {
    const [amount = '', currencyCode = ''] = text.split(' ');
    return { amount, currencyCode };
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

/** All facts, in the order in which docs/webhooks.md lists them. */
export const FACT_KINDS: readonly FactKind[] = [
  {
    ...{ field: 'status', coordinate: 'SubscriptionContract.status', group: 'status', form: 'text' },
    ...{ meaning: 'Whether it is active, paused or ended.', example: 'PAUSED', isKept: true },
  },
  {
    ...{ field: 'currentPause.resumesAt', coordinate: 'SubscriptionPauseInfo.resumesAt', group: 'status' },
    ...{ form: 'instant', meaning: 'When the pause ends by itself; null: it does not.' },
    ...{ example: '2026-12-24T00:00:00Z', isKept: true },
  },
  {
    ...{ field: 'currentPause.reason', coordinate: 'SubscriptionPauseInfo.reason', group: 'status' },
    ...{ form: 'none', meaning: 'Why it is paused.', example: '' },
  },
  {
    ...{ field: 'billingPolicy', coordinate: 'SubscriptionContract.billingPolicy', group: 'policies' },
    ...{ form: 'interval', meaning: 'How often it is paid.', example: '2 WEEK', isKept: true },
  },
  {
    ...{ field: 'deliveryPolicy', coordinate: 'SubscriptionContract.deliveryPolicy', group: 'policies' },
    ...{ form: 'interval', meaning: 'How often it is delivered.', example: '2 WEEK', isKept: true },
  },
  {
    ...{ field: 'nextBillingDate', coordinate: 'SubscriptionContract.nextBillingDate', group: 'other' },
    ...{
      form: 'instant',
      meaning: "The platform's note of the next payment; orders have dates of their own.",
    },
    ...{ example: '2026-12-01T10:00:00Z', isKept: true },
  },
  {
    ...{ field: 'deliveryPrice', coordinate: 'SubscriptionContract.deliveryPrice', group: 'delivery' },
    ...{ form: 'money', meaning: 'What a delivery costs.', example: '4.9 USD', isKept: true },
  },
  {
    ...{ field: 'deliveryMethod', coordinate: 'SubscriptionContract.deliveryMethod', group: 'delivery' },
    ...{ form: 'none', meaning: 'Address and way of delivery.', example: '' },
  },
  {
    ...{ field: 'customerPaymentMethod', coordinate: 'SubscriptionContract.customerPaymentMethod' },
    ...{
      group: 'payment method',
      form: 'payment method',
      meaning: 'What it is paid with.',
      example: '0ab7c1',
    },
  },
  {
    ...{
      field: 'customerPaymentMethod.instrument',
      coordinate: 'SubscriptionContract.customerPaymentMethod',
    },
    ...{ group: 'payment method', form: 'none', meaning: 'The card behind the payment method.', example: '' },
  },
  {
    ...{ field: 'note', coordinate: 'SubscriptionContract.note', group: 'note', form: 'none' },
    ...{ meaning: 'The note.', example: '' },
  },
  {
    ...{ field: 'customAttributes', coordinate: 'SubscriptionContract.customAttributes', group: 'other' },
    ...{ form: 'none', meaning: 'The custom attributes.', example: '' },
  },
  {
    ...{ field: 'lines.*.quantity', coordinate: 'SubscriptionLine.quantity', group: 'lines' },
    ...{ form: 'integer', meaning: "A line's quantity.", example: '2', isKept: true },
  },
  {
    ...{ field: 'lines.*.variantId', coordinate: 'SubscriptionLine.variantId', group: 'lines' },
    ...{ form: 'variant', meaning: "A line's variant.", example: '41', isKept: true },
  },
  {
    ...{ field: 'lines.*.sellingPlanId', coordinate: 'SubscriptionLine.sellingPlanId', group: 'lines' },
    ...{ form: 'plan', meaning: "A line's selling plan.", example: '51', isKept: true },
  },
  {
    ...{ field: 'lines.*.currentPrice', coordinate: 'SubscriptionLine.currentPrice', group: 'lines' },
    ...{ form: 'money', meaning: 'What one of a line costs.', example: '13.5 USD', isKept: true },
  },
  {
    ...{ field: 'discounts.*', coordinate: 'SubscriptionContract.discounts', group: 'discounts' },
    ...{ form: 'text', meaning: "A discount's title or code; null: it is not there.", example: 'WELCOME10' },
  },
  {
    ...{ field: 'billingCycles', coordinate: 'SubscriptionContract.billingPolicy', group: 'other' },
    ...{
      form: 'none',
      meaning: 'All orders are others: `ordersChanged` is true.',
      example: '',
      isKept: true,
    },
  },
  {
    ...{ field: 'billingCycles.*.skipped', coordinate: 'SubscriptionBillingCycle.skipped', group: 'skip' },
    ...{
      form: 'boolean',
      meaning: 'Whether an order is left out; false at first.',
      example: 'true',
      isKept: true,
    },
  },
  {
    field: 'billingCycles.*.billingAttemptExpectedDate',
    coordinate: 'SubscriptionBillingCycle.billingAttemptExpectedDate',
    ...{ group: 'order date', form: 'instant', meaning: "An order's date.", isKept: true },
    example: '2026-12-01T10:00:00Z',
  },
  {
    ...{ field: 'billingCycles.*.editedContract', coordinate: 'SubscriptionBillingCycle.editedContract' },
    ...{ group: 'other', form: 'instant', meaning: 'When the content of one order was edited last.' },
    ...{ example: '2026-12-01T10:00:00Z', isKept: true },
  },
];

const patterns = FACT_KINDS.map((kind) => ({
  kind,
  pattern: new RegExp(`^${kind.field.replaceAll('.', '\\.').replace('*', '[^.]+')}$`),
}));

/** The kind of the fact that a field names; undefined when it names none, as for a billing attempt. */
export function factKind(field: string): FactKind | undefined {
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
