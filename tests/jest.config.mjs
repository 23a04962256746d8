/** jest in ESM mode over esbuild; the network is off (see network-off.mjs). */
export default {
  rootDir: '..',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  testEnvironment: '<rootDir>/tests/bare-global-environment.mjs',
  setupFiles: ['<rootDir>/tests/network-off.mjs'],
  extensionsToTreatAsEsm: ['.ts', '.graphql'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'graphql'],
  transform: { '\\.(ts|graphql)$': '<rootDir>/tests/esbuild-transform.mjs' },
  modulePathIgnorePatterns: ['<rootDir>/.build/', '<rootDir>/.local/', '<rootDir>/cdk.out/'],
  testTimeout: 60_000,
  maxWorkers: 2,
};
