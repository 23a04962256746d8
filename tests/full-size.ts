/** How large a test's numbers are: a hundredth in `npm test`, the whole in `npm run scale`. */

/** The number itself under `npm run scale`, else a hundredth of it, at least 1. */
export function fullSize(number: number): number {
  return process.env.SCALE === 'full' ? number : Math.max(1, Math.ceil(number / 100));
}
