/** The npm scripts: what each runs once the packages are there. Further arguments are passed on. */
const JEST = {
  entry: 'node_modules/jest/bin/jest.js',
  nodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
};

export const scripts = {
  start: { entry: 'infra/local/start.ts', hasChannel: true },
  test: { ...JEST, args: ['-c', 'tests/jest.config.mjs'] },
  demo: { entry: 'infra/local/demo/demo.ts' },
  // Started often, each time for a moment: compiling took half of that.
  operator: { entry: 'infra/operator/command-line/main.ts', keepsCompiled: true },
  build: { entry: 'infra/tools/build/build-functions.ts' },
  package: { entry: 'infra/tools/package/package-client.ts' },
  generate: { entry: 'infra/tools/generate/generate.ts' },
  release: { entry: 'infra/tools/release/release.ts' },
  soak: { entry: 'tests/soak/soak.ts' },
  scale: { ...JEST, args: ['-c', 'tests/scale.config.mjs'] },
  kotlin: { ...JEST, args: ['-c', 'tests/kotlin.config.mjs'] },
  simulate: { entry: 'infra/tools/simulate/simulate.ts' },
  bench: { entry: 'tests/bench/bench.ts' },
  screenshots: { entry: 'tests/e2e/screenshots.ts' },
};
