/** The counts of lists, such as `productsCount`. */

/** Returns a Count, at most `limit`. */
export function toCountView(total: number, limit?: number | null) {
  const isLimited = limit != null && total > limit;
  return { count: isLimited ? limit : total, precision: isLimited ? 'AT_LEAST' : 'EXACT' };
}
