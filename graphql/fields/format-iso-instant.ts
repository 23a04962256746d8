/** Formats epoch milliseconds as `2026-11-21T12:00:00Z`, with milliseconds only when they are not 0. */
export function formatIsoInstant(atMs: number): string {
  return new Date(atMs).toISOString().replace('.000Z', 'Z');
}
