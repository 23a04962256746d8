/** The words for a time zone that the platform names and this runtime does not know, and how to mend it. */
export function unknownZone(name: unknown): string {
  const named = typeof name === 'string' && name !== '' ? `"${name.slice(0, 64)}"` : 'none';
  return (
    `The platform names ${named} as the store's time zone, which is not known here. ` +
    'Choose another in the store (Settings → General → Time zone), or run this with a newer Node.js.'
  );
}
