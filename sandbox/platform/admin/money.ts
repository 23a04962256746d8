/** Money on the wire: decimal strings with the currency's digits. Inside it is a whole number of minor units. */

export type MoneyV2 = { __typename: 'MoneyV2'; amount: string; currencyCode: string };

const CURRENCIES_WITHOUT_MINOR_UNITS = new Set([
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

const CURRENCIES_WITH_THOUSANDTHS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

function countMinorUnitDigits(currencyCode: string): number {
  if (CURRENCIES_WITHOUT_MINOR_UNITS.has(currencyCode)) return 0;
  return CURRENCIES_WITH_THOUSANDTHS.has(currencyCode) ? 3 : 2;
}

/** A MoneyV2: `14.0`, `12.6`, `12.65`; `1400.0` where there are no minor units. */
export function toMoneyV2(minor: number, currencyCode: string): MoneyV2 {
  const digits = countMinorUnitDigits(currencyCode);
  const written = (minor / 10 ** digits).toFixed(Math.max(1, digits));
  return { __typename: 'MoneyV2', amount: written.replace(/(\.\d+?)0+$/, '$1'), currencyCode };
}

/** The Money scalar, with all digits of the currency: `14.00`. */
export function formatMoneyScalar(minor: number, currencyCode: string): string {
  const digits = countMinorUnitDigits(currencyCode);
  return (minor / 10 ** digits).toFixed(digits);
}

/** The same amount for shop and buyer: contracts are billed in one currency. */
export function toMoneyBag(
  minor: number,
  currencyCode: string,
): { shopMoney: MoneyV2; presentmentMoney: MoneyV2 } {
  return { shopMoney: toMoneyV2(minor, currencyCode), presentmentMoney: toMoneyV2(minor, currencyCode) };
}

/** Minor units of a decimal string or number, rounded half up to the currency's digits, as it is written. */
export function toMinorUnits(amount: string | number, currencyCode: string): number {
  const [digits, exponent = 0] = String(amount).split('e');
  return Math.round(Number(`${digits}e${Number(exponent) + countMinorUnitDigits(currencyCode)}`));
}
