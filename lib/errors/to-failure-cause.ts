/** Returns the text of a failure for the log: its message and what caused it, for example a timeout of the table. */
export function toFailureCause(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { message, cause } = error;
  return cause instanceof Error ? `${message} (${cause.name}: ${cause.message})` : message;
}
