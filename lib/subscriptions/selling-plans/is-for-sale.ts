/**
 * Whether customers can see products with this status, and their selling plans. An unknown status counts as not for
 * sale.
 */
export function isForSale(status: unknown): boolean {
  return status === 'ACTIVE' || status === 'UNLISTED';
}
