/** Lets concurrent calls for the same key share one run of their work. */

/** Runs `work`, or returns the result of the run that is in progress for the key. A failure is shared, too. */
export type SingleFlight<Key, Result> = (key: Key, work: () => Promise<Result>) => Promise<Result>;

/** Creates a single flight without any run in progress. */
export function createSingleFlight<Key, Result>(): SingleFlight<Key, Result> {
  const runsByKey = new Map<Key, Promise<Result>>();
  return (key, work) => {
    const runPromise = runsByKey.get(key) ?? work().finally(() => runsByKey.delete(key));
    runsByKey.set(key, runPromise);
    return runPromise;
  };
}
