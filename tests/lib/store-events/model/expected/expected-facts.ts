/** Facts of a contract as events name and write them, from the platform's own records; and a mirror's values in the same form. */
import { findCycleByIndex } from '../../../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant } from '../../../../../sandbox/platform/state/instant.ts';
import type { StoreState } from '../../../../../sandbox/platform/state/state.ts';

/** Orders that are watched. */
const ORDERS = 6;

type Around = { readonly first: number; readonly paymentMethods: StoreState['paymentMethods'] };

/** Facts that are absent are null. `first`: the first order that is watched. */
export function factsOf(contract: ContractRecord, { first, paymentMethods }: Around): Record<string, string> {
  const { content } = contract;
  const { deliveryMethod } = content;
  const method = paymentMethods.get(content.paymentMethodId ?? '');
  const isGood = method !== undefined && method.revokedAt === null;
  const money = (minor: number) => `${minor / 100} ${content.currencyCode}`;
  const address = deliveryMethod && 'address' in deliveryMethod ? deliveryMethod.address : {};
  const facts: Record<string, string | null> = {
    status: content.status,
    note: content.note,
    customAttributes: content.customAttributes.map(({ key }) => key).join(', '),
    nextBillingDate: content.nextBillingDate && formatIsoInstant(Date.parse(content.nextBillingDate)),
    billingPolicy: `${content.billingPolicy.intervalCount} ${content.billingPolicy.interval}`,
    deliveryPolicy: `${content.deliveryPolicy.intervalCount} ${content.deliveryPolicy.interval}`,
    customerPaymentMethod: isGood ? method.id : null,
    'customerPaymentMethod.instrument':
      isGood && 'lastDigits' in method.instrument ? (method.instrument.lastDigits ?? null) : null,
    deliveryPrice: money(content.deliveryPriceMinor),
    deliveryMethod: `${JSON.stringify(address)} ${deliveryMethod?.option.code}`,
    ...Object.fromEntries(
      content.discounts.map(({ id, title, redeemCode }) => [`discounts.${id}`, title ?? redeemCode ?? '']),
    ),
  };
  for (const line of content.lines) {
    facts[`lines.${line.id}.quantity`] = String(line.quantity);
    facts[`lines.${line.id}.currentPrice`] = money(line.currentPriceMinor);
    facts[`lines.${line.id}.variantId`] = line.variantId === null ? null : String(line.variantId);
    facts[`lines.${line.id}.sellingPlanId`] = line.sellingPlanId === null ? null : String(line.sellingPlanId);
  }
  const all = { ...facts, ...ordersOf(contract, first) };
  return Object.fromEntries(Object.entries(all).filter((fact): fact is [string, string] => fact[1] !== null));
}

/** The facts of the orders that are watched. */
export function ordersOf(contract: ContractRecord, first: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: ORDERS }, (_, order) => first + order).flatMap((index) => {
      const cycle = findCycleByIndex(contract, index);
      if (cycle === null || cycle.billed) return [];
      return [
        [`billingCycles.${index}.skipped`, String(cycle.skipped)],
        [`billingCycles.${index}.billingAttemptExpectedDate`, formatIsoInstant(cycle.expectedMs)],
      ];
    }),
  );
}

/** Facts without values. */
export const MUTE: ReadonlySet<string> = new Set([
  ...[
    'deliveryMethod',
    'customerPaymentMethod.instrument',
    'note',
    'customAttributes',
    'currentPause.reason',
  ],
  'billingCycles',
]);

/** A value of an event as `factsOf` writes it. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') {
    const { amount, currencyCode, interval, intervalCount } = value as Record<string, string | number>;
    return amount === undefined ? `${intervalCount} ${interval}` : `${Number(amount)} ${currencyCode}`;
  }
  const text = String(value);
  return text.startsWith('gid://') ? text.slice(text.lastIndexOf('/') + 1) : text;
}
