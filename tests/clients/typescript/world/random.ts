/** A small random generator, so that a failure can be reproduced (Park and Miller). */
export function randomOf(seed: number): () => number {
  let state = seed % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
