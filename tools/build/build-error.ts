/**
 * The error of a build that cannot succeed. The message is for the person who started it; it is printed without a stack
 * trace.
 */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}
