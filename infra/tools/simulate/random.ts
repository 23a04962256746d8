/** Randomness that a seed repeats: the same seed gives the same month on every machine. */

export type Random = {
  /** Uniform in [0, 1). */
  readonly uniform: () => number;
  readonly chance: (probability: number) => boolean;
  /** Exponential with that mean. */
  readonly exponential: (mean: number) => number;
  /** Poisson; exact for small means, rounded normal above 30. */
  readonly poisson: (mean: number) => number;
};

/** Mulberry32: 32 bits of state, far more than a month of a simulation can tell from chance. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const small = (mean: number) => {
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = uniform(); product > limit; product *= uniform()) count++;
    return count;
  };
  return {
    uniform,
    chance: (probability) => uniform() < probability,
    exponential: (mean) => -mean * Math.log(1 - uniform()),
    poisson: (mean) => (mean < 30 ? small(mean) : Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))),
  };
}
