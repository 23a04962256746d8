/** Whether customers see a product of this status, and what it is sold under. One that is not known is not shown. */
export function isForSale(status: unknown): boolean {
  return status === 'ACTIVE' || status === 'UNLISTED';
}
