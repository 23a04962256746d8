/** The size of a test's numbers: a hundredth in `npm test`, the whole in `npm run scale`. */

/** Whether this is `npm run scale`. */
export const isFullSize = process.env.SCALE === 'full';

/** The number itself under `npm run scale`, else a hundredth of it, at least 1. */
export function fullSize(number: number): number {
  return isFullSize ? number : Math.max(1, Math.ceil(number / 100));
}

/** A property's runs: the same ones in `npm test`; in `npm run scale` those of the environment variable SEED. */
export function propertyRuns(numRuns: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: fullSize(numRuns), seed: isFullSize ? Number(process.env.SEED) : 20_261_121 };
}
