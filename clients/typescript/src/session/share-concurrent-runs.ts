/** Runs work once for concurrent calls. */

/** Shares the running promise between concurrent calls with the same key. */
export function shareConcurrentRuns<Argument, Result>(
  work: (argument: Argument) => Promise<Result>,
  keyOf: (argument: Argument) => string = () => '',
): (argument: Argument) => Promise<Result> {
  const runsByKey = new Map<string, Promise<Result>>();
  return (argument) => {
    const key = keyOf(argument);
    const runPromise = runsByKey.get(key) ?? work(argument).finally(() => void runsByKey.delete(key));
    runsByKey.set(key, runPromise);
    return runPromise;
  };
}
