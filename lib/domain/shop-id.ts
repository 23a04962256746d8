import type { Brand } from './brand.ts';

/** The platform's number of a store: a positive safe integer. */
export type ShopId = Brand<number, 'ShopId'>;

/**
 * Parses a store's number.
 * @returns undefined unless it is a positive safe integer
 */
export function parseShopId(value: unknown): ShopId | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as ShopId) : undefined;
}
