/** The error when the trace cannot record a change, so the change is not made. The message says what to do. */
export class TraceWriteError extends Error {
  override readonly name = 'TraceWriteError';
}
