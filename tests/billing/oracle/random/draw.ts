/** Random values that a seed repeats. */
import { createSeededRandom } from '../../../../sandbox/seeded-random.ts';

/** Draws values; the same seed draws the same ones. */
export type Draw = ReturnType<typeof createDraw>;

export function createDraw(seed: number) {
  const random = createSeededRandom(seed);
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  function pick<One>(list: readonly One[]): One {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error('There is nothing to pick from.');
    return found;
  }
  return {
    ...{ int, pick, chance: (share: number) => random() < share },
    list: <One>(length: number, create: (at: number) => One) => Array.from({ length }, (_, at) => create(at)),
  };
}
