/**
 * Returns the results of all promises, like Promise.all, but waits for all of them before it throws the first failure:
 * on Lambda, no work may still be in progress when the response is sent, because the container is then frozen.
 */
export async function awaitAll<T extends readonly unknown[]>(
  promises: {
    readonly [Index in keyof T]: T[Index] | Promise<T[Index]>;
  },
): Promise<T> {
  const settledResults = await Promise.allSettled(promises);
  const failedResult = settledResults.find((settledResult) => settledResult.status === 'rejected');
  if (failedResult !== undefined) throw failedResult.reason;
  return settledResults.map((settledResult) =>
    settledResult.status === 'fulfilled' ? settledResult.value : undefined,
  ) as unknown as T;
}
