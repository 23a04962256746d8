/** What a simulation draws by chance: the same seed gives the same month on every machine. */
import { seededRandom } from '../../emulators/seeded-random.ts';

export type Random = {
  /** Uniform in [0, 1). */
  readonly uniform: () => number;
  readonly chance: (probability: number) => boolean;
  /** Exponential with that mean. */
  readonly exponential: (mean: number) => number;
  /** Poisson; exact for small means, rounded normal above 30. */
  readonly poisson: (mean: number) => number;
};

/** The draws of a seed. */
export function createRandom(seed: number): Random {
  const uniform = seededRandom(seed);
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
