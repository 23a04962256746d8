/** Stops esbuild's process after its last use, because it occupies hundreds of megabytes as long as it runs. */
import { stop } from 'esbuild';

let runningUseCount = 0;

/** Runs a function that uses esbuild, and returns its result. Stops esbuild when no other function uses it. */
export async function withEsbuild<Result>(run: () => Promise<Result>): Promise<Result> {
  runningUseCount++;
  try {
    return await run();
  } finally {
    if (--runningUseCount === 0) await stop();
  }
}
