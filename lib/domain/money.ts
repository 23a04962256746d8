/**
 * Amounts of money are exact whole numbers of a currency's smallest unit (ISO 4217), never floats. They are read from
 * and written as the platform's decimals.
 */

const DEFAULT_DIGITS = 2;
/** Currencies with another number of digits than two (ISO 4217, table A.1). */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** An exact decimal: `units` divided by ten to the power of `digits`. */
export type Decimal = { readonly units: bigint; readonly digits: number };

/** The number of digits after the point in this currency: 2 for USD, 0 for JPY, 3 for KWD. */
function currencyDigits(currencyCode: string): number {
  return DIGITS.get(currencyCode) ?? DEFAULT_DIGITS;
}

/** The decimal of a text: `12.50` → 1250 / 10². Throws an Error if the text is no plain decimal. */
export function parseDecimal(text: string): Decimal {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new Error('not a decimal number');
  return { units: BigInt(`${sign}${whole}${fraction}`), digits: fraction.length };
}

/** The decimal in the currency's smallest units, halves rounded up. It must not be negative. */
export function minorUnits({ units, digits }: Decimal, currencyCode: string): bigint {
  const currencyScale = currencyDigits(currencyCode);
  if (digits <= currencyScale) return units * 10n ** BigInt(currencyScale - digits);
  const divisor = 10n ** BigInt(digits - currencyScale);
  return (units + divisor / 2n) / divisor;
}

/**
 * The amount in the platform's own form, without needless zeros but with one digit at least: `14.0`, `12.6`, `12.65`.
 */
export function formatMinorUnits(minor: bigint, currencyCode: string): string {
  const digits = currencyDigits(currencyCode);
  const text = `${minor}`.padStart(digits + 1, '0');
  const [whole, fraction] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  return `${whole}.${fraction.replace(/0+$/, '') || '0'}`;
}
