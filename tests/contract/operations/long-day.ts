/** The day of an instant as the stores of these tests tell it, in English: `November 1, 2026`. */
export function longDay(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' });
}
