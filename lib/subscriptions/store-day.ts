/** Days as the people of a store count them. */

/** Tells the day (`2026-11-01`) of an instant in a time zone such as `America/New_York`. RangeError: unknown zone. */
export function dayIn(timeZone: string): (atMs: number) => string {
  // The Canadian way of writing dates is the ISO one.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return (atMs) => format.format(atMs);
}
