import type { Brand } from './brand.ts';

/** The platform's number of a customer: a positive safe integer. */
export type CustomerId = Brand<number, 'CustomerId'>;

const DIGITS = /^[1-9][0-9]{0,15}$/;

/**
 * Parses a customer's number: a positive safe integer or its decimal string.
 * @returns undefined for any other value
 */
export function parseCustomerId(value: unknown): CustomerId | undefined {
  const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) > 0 ? (number as CustomerId) : undefined;
}
