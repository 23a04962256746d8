/** Runs work once for concurrent calls. */

/** Shares the running promise between concurrent calls with the same key. */
export function shareConcurrentRuns<Argument, Result>(
  work: (argument: Argument) => Promise<Result>,
  keyOf: (argument: Argument) => string = () => '',
): (argument: Argument) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  return (argument) => {
    const key = keyOf(argument);
    const currentRun = running.get(key) ?? work(argument).finally(() => void running.delete(key));
    running.set(key, currentRun);
    return currentRun;
  };
}
