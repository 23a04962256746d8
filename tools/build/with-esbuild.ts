/** esbuild's own process would stay, with hundreds of megabytes, as long as a stack runs: it ends with its last work. */
import { stop } from 'esbuild';

let runningUses = 0;

/** Runs what uses esbuild; resolves and rejects as that does. */
export async function withEsbuild<T>(run: () => Promise<T>): Promise<T> {
  runningUses++;
  try {
    return await run();
  } finally {
    if (--runningUses === 0) await stop();
  }
}
