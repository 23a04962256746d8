/** esbuild's own process would stay, with hundreds of megabytes, as long as a stack runs: it ends with its last work. */
import { stop } from 'esbuild';

let running = 0;

/** Runs what uses esbuild; resolves and rejects as that does. */
export async function withEsbuild<T>(run: () => Promise<T>): Promise<T> {
  running++;
  try {
    return await run();
  } finally {
    if (--running === 0) await stop();
  }
}
