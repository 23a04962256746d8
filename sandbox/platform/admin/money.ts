/** Converts money between the API's decimal strings and the emulator's minor units, which are whole numbers. */

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

/** Returns a MoneyV2: `14.0`, `12.6`, `12.65`; `1400.0` for a currency without minor units. */
export function toMoneyV2(minorUnits: number, currencyCode: string): MoneyV2 {
  const digits = countMinorUnitDigits(currencyCode);
  const decimalText = (minorUnits / 10 ** digits).toFixed(Math.max(1, digits));
  return { __typename: 'MoneyV2', amount: decimalText.replace(/(\.\d+?)0+$/, '$1'), currencyCode };
}

/** Formats the Money scalar, with all digits of the currency: `14.00`. */
export function formatMoneyScalar(minorUnits: number, currencyCode: string): string {
  const digits = countMinorUnitDigits(currencyCode);
  return (minorUnits / 10 ** digits).toFixed(digits);
}

/** Returns a MoneyBag with the same amount for shop and buyer, because contracts are billed in one currency. */
export function toMoneyBag(
  minorUnits: number,
  currencyCode: string,
): { shopMoney: MoneyV2; presentmentMoney: MoneyV2 } {
  return {
    shopMoney: toMoneyV2(minorUnits, currencyCode),
    presentmentMoney: toMoneyV2(minorUnits, currencyCode),
  };
}

/**
 * Converts a decimal string or number to minor units, rounded half up to the currency's digits. Uses the decimal
 * notation, so that floating-point errors do not change the result.
 */
export function toMinorUnits(amount: string | number, currencyCode: string): number {
  const [digits, exponent = 0] = String(amount).split('e');
  return Math.round(Number(`${digits}e${Number(exponent) + countMinorUnitDigits(currencyCode)}`));
}
