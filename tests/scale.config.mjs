/** The tests that have large numbers, with these numbers, one file after another. */
import config from './jest.config.mjs';

process.env.SCALE = 'full';

export default {
  ...config,
  testMatch: ['**/*.scale.test.ts'],
  testTimeout: 1_800_000,
  maxWorkers: 1,
};
