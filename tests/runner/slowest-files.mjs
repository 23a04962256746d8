/** Prints the ten slowest files at the end of a run of many files, for developers who add tests to them. */
const MANY = 100;
const PRINTED = 10;

export default class SlowestFiles {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    if (testResults.length < MANY) return;
    const files = testResults.map(({ testFilePath, perfStats: { start, end } }) => ({
      path: testFilePath.slice(this.rootDir.length + 1),
      seconds: (end - start) / 1000,
    }));
    const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, PRINTED);
    const lines = slowest.map(({ path, seconds }) => `${seconds.toFixed(0).padStart(4)} s  ${path}`);
    console.log(`\nThe slowest files:\n${lines.join('\n')}`);
  }
}
