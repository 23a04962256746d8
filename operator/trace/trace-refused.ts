/** The error when the trace cannot record a change, so the change is not made. The message says what to do. */
export class TraceRefused extends Error {
  override readonly name = 'TraceRefused';
}
