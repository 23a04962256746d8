/** Counts beside connections. */

/** A count as the platform gives it, cut at `limit`. */
export function toCountResult(total: number, limit?: number | null) {
  const cut = limit != null && total > limit;
  return { count: cut ? limit : total, precision: cut ? 'AT_LEAST' : 'EXACT' };
}
