/** Counts the platform's round trips in sequence: requests that are sent together count as one. */
import { setImmediate as tick } from 'node:timers/promises';

/** The loop's turns after which a request that waits for no response has been sent, with loaded modules. */
const TURNS = 20;

/** Wraps a function that answers requests to the platform. `trips` returns the count so far. */
export function countTrips<Request, Answer>(answer: (request: Request) => Answer | Promise<Answer>) {
  let trips = 0;
  let pending = 0;
  return {
    trips: () => trips,
    async answer(request: Request): Promise<Answer> {
      if (pending === 0) trips++;
      pending++;
      try {
        for (let turn = 0; turn < TURNS; turn++) await tick();
        return await answer(request);
      } finally {
        pending--;
      }
    },
  };
}
