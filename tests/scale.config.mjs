/**
 * The tests that have large numbers, with these numbers, one file after another. Random ones differ each time; the printed
 * seed repeats them: `SEED=1 npm run scale -- tests/contract/money`.
 */
import { randomInt } from 'node:crypto';
import config from './jest.config.mjs';

process.env.SCALE = 'full';
process.env.SEED ??= String(randomInt(2 ** 31));
console.info(`SEED=${process.env.SEED}`);

export default {
  ...config,
  testMatch: ['**/*.scale.test.ts'],
  testTimeout: 1_800_000,
  maxWorkers: 1,
};
