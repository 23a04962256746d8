/** Whether customers can see a product with this status and its plans. An unknown status counts as not for sale. */
export function isForSale(status: unknown): boolean {
  return status === 'ACTIVE' || status === 'UNLISTED';
}
