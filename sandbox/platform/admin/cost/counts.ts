/** The counts of lists, such as `productsCount`. */

/** Returns a Count, at most `limit`. */
export function toCountView(total: number, limit?: number | null) {
  const cut = limit != null && total > limit;
  return { count: cut ? limit : total, precision: cut ? 'AT_LEAST' : 'EXACT' };
}
