/** The instant as `2026-11-21T12:00:00Z`, from epoch milliseconds; with milliseconds only where there are some. */
export function isoInstant(atMs: number): string {
  return new Date(atMs).toISOString().replace('.000Z', 'Z');
}
