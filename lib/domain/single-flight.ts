/** Lets concurrent calls for the same key share one run of their work. */

/** Runs `work`, or returns the result of the run that is in progress for the key. A failure is shared, too. */
export type SingleFlight<Key, Result> = (key: Key, work: () => Promise<Result>) => Promise<Result>;

/** Creates it without any run in progress. */
export function createSingleFlight<Key, Result>(): SingleFlight<Key, Result> {
  const running = new Map<Key, Promise<Result>>();
  return (key, work) => {
    const current = running.get(key) ?? work().finally(() => running.delete(key));
    running.set(key, current);
    return current;
  };
}
