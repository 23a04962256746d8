/** Whether a date is more than a calendar year after now: further than this service sets dates. Epoch milliseconds. */
export function isFarAhead(dateMs: number, nowMs: number): boolean {
  const limit = new Date(nowMs);
  return dateMs > limit.setUTCFullYear(limit.getUTCFullYear() + 1);
}
