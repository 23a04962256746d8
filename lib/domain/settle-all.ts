/**
 * The results of all promises, like Promise.all; but it waits for every one before it rejects with the first failure:
 * on Lambda nothing may still be under way when the answer goes out.
 */
export async function settleAll<T extends readonly unknown[]>(
  promises: {
    readonly [Index in keyof T]: T[Index] | Promise<T[Index]>;
  },
): Promise<T> {
  const ended = await Promise.allSettled(promises);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return ended.map((one) => (one.status === 'fulfilled' ? one.value : undefined)) as unknown as T;
}
