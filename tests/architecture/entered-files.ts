/** Finds the service's files in which a piece of work runs functions, by V8's call counts. */
import { type Profiler, Session } from 'node:inspector/promises';

/** A file is entered when one of its functions runs; what a module does when it is loaded does not count. */
function isEntered({ functions }: Profiler.ScriptCoverage): boolean {
  return functions.some(
    ({ ranges: [whole] }) => whole !== undefined && whole.startOffset > 0 && whole.count > 0,
  );
}

/** The paths from `root` of the service's files in which a function runs during `work`, sorted. */
export async function enteredFiles(root: string, work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Discards the counts so far and restarts counting.
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(isEntered)
      .map(({ url }) => decodeURI(url).replace('file://', ''))
      .filter((path) => path.startsWith(`${root}/`))
      .map((path) => path.slice(root.length + 1))
      .filter((path) => /^(functions|graphql|lib)\//.test(path))
      .sort();
  } finally {
    session.disconnect();
  }
}
