import type { Brand } from './brand.ts';

/** The number of a store at the platform, a positive safe integer. */
export type ShopId = Brand<number, 'ShopId'>;

/**
 * Parses a store's number.
 * @returns undefined when the value is not a positive safe integer
 */
export function parseShopId(value: unknown): ShopId | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as ShopId) : undefined;
}
