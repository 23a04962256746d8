import type { Brand } from './brand.ts';

/** The number of a customer at the platform, a positive safe integer. */
export type CustomerId = Brand<number, 'CustomerId'>;

const CUSTOMER_NUMBER_PATTERN = /^[1-9][0-9]{0,15}$/;

/**
 * Parses a customer's number from a number or its decimal text.
 * @returns undefined when the value is not a positive safe integer
 */
export function parseCustomerId(value: unknown): CustomerId | undefined {
  const customerNumber =
    typeof value === 'string' && CUSTOMER_NUMBER_PATTERN.test(value) ? Number(value) : value;
  return Number.isSafeInteger(customerNumber) && (customerNumber as number) > 0
    ? (customerNumber as CustomerId)
    : undefined;
}
