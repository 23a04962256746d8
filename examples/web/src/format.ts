/** Texts for dates, prices, intervals and payment methods. */
import type { PaymentMethod, SubscriptionSummary } from 'subscription-management-client';

export const DAY_MS = 86_400_000;

type Money = { readonly amount: string; readonly currencyCode: string };
export type Interval = SubscriptionSummary['deliveryPolicy'];
type Frequency = { readonly billingPolicy: Interval; readonly deliveryPolicy: Interval };

export type Format = ReturnType<typeof createFormat>;

/** `timeZone`: the store's. */
export function createFormat(timeZone: string) {
  const text = (date: string, options: Intl.DateTimeFormatOptions) =>
    new Date(date).toLocaleString('en', { ...options, timeZone });
  return {
    /** For example `Wed, December 16`, with the year if it is not this one. */
    day: (date: string) => {
      const [year, thisYear] = [date, new Date().toISOString()].map((one) => text(one, { year: 'numeric' }));
      const options = { weekday: 'short', month: 'long', day: 'numeric' } as const;
      return text(date, year === thisYear ? options : { ...options, year: 'numeric' });
    },
    /** For example `Dec 16, 2026, 9:00 AM`. */
    moment: (date: string) => text(date, { dateStyle: 'medium', timeStyle: 'short' }),
    /** As date fields and the service have days: `2026-12-16`. */
    dateField: (date: string | number) => new Date(date).toLocaleDateString('en-CA', { timeZone }),
  };
}

/** Returns a day of a date field as `format.day` writes it. */
export const dayText = (day: string) => createFormat('UTC').day(day);

export function priceText({ amount, currencyCode }: Money): string {
  if (Number(amount) === 0) return 'Free';
  return Number(amount).toLocaleString('en', { style: 'currency', currency: currencyCode });
}

/** For example `every 2 weeks`, or `paid every 3 months, delivered every month`. */
export function frequencyText({ billingPolicy, deliveryPolicy }: Frequency): string {
  const [paid, delivered] = [every(billingPolicy), every(deliveryPolicy)];
  return paid === delivered ? paid : `paid ${paid}, delivered ${delivered}`;
}

function every({ interval, intervalCount }: Interval): string {
  const unit = interval.toLowerCase();
  return intervalCount === 1 ? `every ${unit}` : `every ${intervalCount} ${unit}s`;
}

export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const WALLETS: Readonly<Record<string, string>> = {
  CustomerPaypalBillingAgreement: 'PayPal',
  CustomerShopPayAgreement: 'Shop Pay',
  BankAccount: 'Bank account',
};

export function paymentText(method: PaymentMethod | null): string {
  const instrument = method?.instrument;
  if (!method || method.revokedAt || !instrument) return 'No payment method';
  if (instrument.__typename !== 'CustomerCreditCard') return WALLETS[instrument.__typename] ?? 'Other';
  return `${sentence(instrument.brand)} •••• ${instrument.lastDigits}`;
}

export function expiryText(method: PaymentMethod | null): string | undefined {
  const instrument = method?.instrument;
  if (instrument?.__typename !== 'CustomerCreditCard') return undefined;
  const month = String(instrument.expiryMonth).padStart(2, '0');
  return `Expires ${month}/${instrument.expiryYear}${instrument.expiresSoon ? ': soon' : ''}`;
}
