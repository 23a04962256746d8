/** Facts of contracts as the timeline names and writes them, from the platform's own records. */
import { cycleByIndex } from '../../../../../infra/emulators/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../../infra/emulators/platform/state/contract-records.ts';
import { isoInstant } from '../../../../../infra/emulators/platform/state/instant.ts';
import type { StoreState } from '../../../../../infra/emulators/platform/state/state.ts';

const ORDERS = 3;

type Around = { readonly first: number; readonly paymentMethods: StoreState['paymentMethods'] };

/** What is nothing is the empty text. `first`: the first order that is watched. */
export function factsOf(contract: ContractRecord, { first, paymentMethods }: Around): Record<string, string> {
  const { content } = contract;
  const { deliveryMethod } = content;
  const method = paymentMethods.get(content.paymentMethodId ?? '');
  const isGood = method !== undefined && method.revokedAt === null;
  const money = (minor: number) => `${minor / 100} ${content.currencyCode}`;
  const {
    id: _id,
    model: _model,
    ...address
  } = deliveryMethod && 'address' in deliveryMethod ? deliveryMethod.address : { id: 0, model: '' };
  return {
    status: content.status,
    note: content.note ?? '',
    customAttributes: content.customAttributes.map(({ key }) => key).join(', '),
    nextBillingDate: textOf('nextBillingDate', content.nextBillingDate),
    customerPaymentMethod: isGood ? method.id : '',
    // What it pays with is nobody's to read.
    instrument: isGood && 'lastDigits' in method.instrument ? method.instrument.lastDigits : '',
    deliveryPrice: money(content.deliveryPriceMinor),
    // It is told without values: who lives where is nobody's to read.
    deliveryMethod: `${JSON.stringify(address)} ${deliveryMethod?.option.code}`,
    ...Object.fromEntries(content.lines.map(({ id, quantity }) => [`lines.${id}.quantity`, `${quantity}`])),
    // The first line is never removed; what comes or goes with another is not named.
    ...Object.fromEntries(
      content.lines
        .slice(0, 1)
        .map((line) => [`lines.${line.id}.currentPrice`, money(line.currentPriceMinor)]),
    ),
    ...Object.fromEntries(content.discounts.map(({ id }) => [`discounts.${id}`, 'there'])),
    ...Object.fromEntries(orderFacts(contract, first)),
  };
}

/** Fields that are told without values. */
export const MUTE: ReadonlySet<string> = new Set(['deliveryMethod', 'instrument']);

type Facts = [field: string, text: string][];

function orderFacts(contract: ContractRecord, first: number): Facts {
  return Array.from({ length: ORDERS }, (_, order) => first + order).flatMap((index): Facts => {
    const cycle = cycleByIndex(contract, index);
    const date = cycle === null ? null : isoInstant(cycle.expectedMs);
    return [
      [`billingCycles.${index}.skipped`, String(cycle?.skipped ?? false)],
      [
        `billingCycles.${index}.billingAttemptExpectedDate`,
        textOf('billingCycles.billingAttemptExpectedDate', date),
      ],
    ];
  });
}

/** A value as the timeline tells it, so that equal ones have equal texts. */
export function textOf(field: string, value: string | null): string {
  if (value === null || value === '') return '';
  if (field.startsWith('discounts.')) return 'there';
  return /date$/i.test(field) ? new Date(value).toISOString() : value;
}
