/** A date as the platform writes it, in whole seconds where it has no others; null for none. */
export function dateText(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString().replace('.000Z', 'Z');
}
