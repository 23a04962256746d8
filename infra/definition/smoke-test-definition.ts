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
  /** Below the environment's prefix: a store and a key to try with. Operators make it. */
  secret: 'smoke',
} as const;
