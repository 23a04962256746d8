/** A change is not made, because the trace cannot tell of it; in words that say what to do. */
export class TraceRefused extends Error {
  override readonly name = 'TraceRefused';
}
