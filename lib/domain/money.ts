/**
 * Exact amounts of money: integers in the smallest unit of a currency (ISO 4217), no floats. The platform's format is a
 * decimal text.
 */

const DEFAULT_CURRENCY_DIGITS = 2;
/** Currencies whose number of decimal digits is not two (ISO 4217, table A.1). */
const CURRENCY_DIGITS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);
const DECIMAL_PATTERN = /^(-?)(\d+)(?:\.(\d+))?$/;

/** An exact decimal number: `units` / 10 ^ `digits`. */
export type Decimal = { readonly units: bigint; readonly digits: number };

/** Returns the number of decimal digits of a currency: 2 for USD, 0 for JPY, 3 for KWD. */
function currencyDigits(currencyCode: string): number {
  return CURRENCY_DIGITS.get(currencyCode) ?? DEFAULT_CURRENCY_DIGITS;
}

/**
 * Parses a decimal text. `12.50` becomes 1250 / 10 ^ 2.
 * @throws Error when the text is not a plain decimal number
 */
export function parseDecimal(text: string): Decimal {
  const [, sign = '', whole, fraction = ''] = DECIMAL_PATTERN.exec(text) ?? [];
  if (whole === undefined) throw new Error('not a decimal number');
  return { units: BigInt(`${sign}${whole}${fraction}`), digits: fraction.length };
}

/** Converts a decimal number to the smallest unit of the currency, rounded half up. The number must not be negative. */
export function toMinorUnits({ units, digits }: Decimal, currencyCode: string): bigint {
  const currencyScale = currencyDigits(currencyCode);
  if (digits <= currencyScale) return units * 10n ** BigInt(currencyScale - digits);
  const divisor = 10n ** BigInt(digits - currencyScale);
  return (units + divisor / 2n) / divisor;
}

/**
 * Formats an amount as the platform does: without trailing zeros, but with at least one decimal digit (`14.0`, `12.6`,
 * `12.65`).
 */
export function formatMinorUnits(minorUnits: bigint, currencyCode: string): string {
  const digits = currencyDigits(currencyCode);
  const text = `${minorUnits}`.padStart(digits + 1, '0');
  const [whole, fraction] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  return `${whole}.${fraction.replace(/0+$/, '') || '0'}`;
}
