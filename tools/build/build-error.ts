/** A build that cannot be, in words for whoever started it; shown without a stack trace. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}
