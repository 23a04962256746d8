/** Returns the day of an instant in English, in the time zone of these tests' stores: `November 1, 2026`. */
export function longDay(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' });
}
