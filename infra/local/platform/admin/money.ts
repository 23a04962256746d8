/** Money on the wire: decimal strings with the currency's digits. Inside it is a whole number of minor units. */

export type MoneyV2 = { __typename: 'MoneyV2'; amount: string; currencyCode: string };

const withoutMinorUnits = new Set([
  'JPY',
  'KRW',
  'VND',
  'CLP',
  'ISK',
  'XAF',
  'XOF',
  'XPF',
  'PYG',
  'UGX',
  'RWF',
]);

function digitsOf(currencyCode: string): number {
  return withoutMinorUnits.has(currencyCode) ? 0 : 2;
}

/** A MoneyV2: `14.0`, `12.6`, `12.65`. */
export function moneyV2(minor: number, currencyCode: string): MoneyV2 {
  const amount = (minor / 10 ** digitsOf(currencyCode)).toFixed(2).replace(/0$/, '');
  return { __typename: 'MoneyV2', amount, currencyCode };
}

/** The Money scalar: `14.00`. */
export function moneyScalar(minor: number): string {
  return (minor / 100).toFixed(2);
}

/** The same amount for shop and buyer: contracts are billed in one currency. */
export function moneyBag(
  minor: number,
  currencyCode: string,
): { shopMoney: MoneyV2; presentmentMoney: MoneyV2 } {
  return { shopMoney: moneyV2(minor, currencyCode), presentmentMoney: moneyV2(minor, currencyCode) };
}

/** Minor units of a decimal string or number, rounded to the currency's digits. */
export function minorOf(amount: string | number, currencyCode: string): number {
  return Math.round(Number(amount) * 10 ** digitsOf(currencyCode));
}
