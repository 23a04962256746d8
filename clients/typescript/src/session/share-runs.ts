/** Work that several ask for at once is done once. */

/** Whoever asks with the same key while it runs gets the same promise. */
export function shareRuns<Argument, Result>(
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
