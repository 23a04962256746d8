/** Returns the message, with the fix, for a time zone that this runtime does not know. */
export function unknownTimeZoneMessage(name: unknown): string {
  const quotedName = typeof name === 'string' && name !== '' ? `"${name.slice(0, 64)}"` : 'none';
  return (
    `The platform names ${quotedName} as the store's time zone, which is not known here. ` +
    'Choose another in the store (Settings → General → Time zone), or run this with a newer Node.js.'
  );
}
