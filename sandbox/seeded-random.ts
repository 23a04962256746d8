/** Creates deterministic random numbers from a seed. */

/**
 * Returns a generator of numbers in [0, 1), the same for the same seed. Mulberry32: 32 bits of state, enough for a test
 * or a simulation.
 */
export function createSeededRandom(seed: number): () => number {
  let randomState = seed >>> 0;
  return () => {
    randomState = (randomState + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(randomState ^ (randomState >>> 15), randomState | 1);
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61);
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32;
  };
}
