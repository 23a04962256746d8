/** A figure of the benchmark: what it is, what it must be, and what is aimed at. */

export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Undefined: reported only. */
  readonly must?: number;
  readonly aim?: number;
  /** Whether more is better. */
  readonly isMore?: boolean;
};

/** Whether a figure is within its bound; true without a bound. */
export function isWithin({ value, isMore = false }: Figure, bound: number | undefined): boolean {
  if (bound === undefined) return true;
  return isMore ? value >= bound : value <= bound;
}

/** Formats a number with two significant digits, because noise allows no more; byte counts are complete. */
export function displayed(value: number | undefined, unit = ''): string {
  if (value === undefined) return '';
  const digits = unit === 'KB' ? Math.round(value) : Number(value.toPrecision(2));
  const text = digits.toLocaleString('en-US', { maximumFractionDigits: 10 });
  return unit === '' ? text : `${text} ${unit}`;
}

/**
 * Formats a figure's value with as many extra digits as are needed to distinguish it from a bound that it does not
 * equal.
 */
export function formatValue({ value, unit, must, aim }: Figure): string {
  const usual = displayed(value, unit);
  const looksLike = (text: string) =>
    [must, aim].some((bound) => bound !== undefined && bound !== value && text === displayed(bound, unit));
  if (!looksLike(usual)) return usual;
  for (let digits = 3; digits < 16; digits++) {
    const number = Number(value.toPrecision(digits));
    if (number === must || number === aim) continue;
    const text = number.toLocaleString('en-US', { maximumFractionDigits: 10 });
    return unit === '' ? text : `${text} ${unit}`;
  }
  return usual;
}
