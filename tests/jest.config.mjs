/** jest in ESM mode; the network is off (see network-off.mjs). */
import { join } from 'node:path';

// Tests start some hundred commands as processes: they load twice as fast what has been compiled before.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../.local/compile-cache');

// esbuild clears its memory seldom: a build of the functions takes a fifth less, and its process lives for seconds.
process.env.GOGC ??= '400';

// The deployed setting. Without it graphql-js searches for a second copy of itself at each value, which takes a
// twentieth of GraphQL's time.
process.env.NODE_ENV = 'production';

export default {
  rootDir: '..',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  runtime: '<rootDir>/tests/runner/shared-modules.mjs',
  testEnvironment: '<rootDir>/tests/runner/bare-global-environment.mjs',
  setupFiles: [
    '<rootDir>/tests/network-off.mjs',
    '<rootDir>/tests/runner/short-stacks.mjs',
    ...(process.env.CLOCK_START === undefined ? [] : ['<rootDir>/tests/runner/clock-start.mjs']),
  ],
  extensionsToTreatAsEsm: ['.ts', '.graphql'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'graphql'],
  // The hooks import the client by its name, as in an app.
  moduleNameMapper: { '^subscription-management-(client)$': '<rootDir>/clients/typescript/src/$1.ts' },
  transform: { '\\.(ts|graphql)$': '<rootDir>/tests/runner/strip-types.mjs' },
  modulePathIgnorePatterns: ['<rootDir>/(.build|.local|cdk.out|clients/\\w+/dist)/'],
  reporters: ['default', '<rootDir>/tests/runner/slowest-files.mjs'],
  testSequencer: '<rootDir>/tests/runner/slowest-first.mjs',
  testTimeout: 180_000,
  // One more than processors: stacks and browsers have their own processes, and tests wait for them.
  maxWorkers: 3,
};
