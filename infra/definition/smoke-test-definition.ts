/**
 * The function that tests new versions before requests reach them. Only production has it, because only production has
 * the canary.
 */

export const SMOKE_TEST_NAME = 'smoke-test';

export const smokeTestDefinition = {
  description: 'Tries new versions before requests reach them',
  memoryMb: 256,
  /** Each check asks the new version up to three times, and then the live one. */
  timeoutSeconds: 600,
  /** The name, below the environment's prefix, of the secret with a store and a key for the test. Operators create it. */
  secret: 'smoke',
} as const;
