/** What goes wrong in a simulation: crashes, lost answers, several workers, and webhooks that are lost, doubled or late. */
import type { BehaviourSettings } from '../../../sandbox/platform/state/unpublished-behaviour.ts';
import { createDraw } from '../oracle/random/draw.ts';
import type { ProcessFault } from './service-processes.ts';

export type FaultProfile = {
  readonly isFaulty: boolean;
  /** The platform's behaviour where it is not published. */
  readonly behaviour: Partial<BehaviourSettings>;
  /** Returns the fault of the next process. */
  processFault(): ProcessFault;
  /** Returns how late each copy of a webhook comes, in milliseconds; none for one that is lost. */
  webhookDelays(): readonly number[];
  /** Returns how many workers of billing run at the same time. */
  workerCount(): number;
  /** Returns how much later than planned the next functions start, in milliseconds. */
  laterMs(): number;
  /** Returns how long a request to the platform takes, in milliseconds; undefined: no time, and nothing happens meanwhile. */
  readonly requestMs?: () => number;
  /** Returns how long a call of the table takes, where requests take time. */
  readonly tableMs?: () => number;
};

/** Everything works, and webhooks come within seconds. */
export const CALM: FaultProfile = {
  isFaulty: false,
  behaviour: {},
  processFault: () => undefined,
  webhookDelays: () => [2_000],
  workerCount: () => 1,
  laterMs: () => 0,
};

/** A third of the processes meet a fault. */
export function createStorm(seed: number, behaviour: Partial<BehaviourSettings> = {}): FaultProfile {
  const draw = createDraw(seed);
  return {
    isFaulty: true,
    behaviour,
    processFault() {
      if (draw.chance(0.66)) return undefined;
      return {
        at: draw.int(0, draw.pick([3, 12, 40])),
        kind: draw.pick(['before', 'after', 'lost'] as const),
      };
    },
    webhookDelays() {
      const copies = draw.chance(0.1) ? 0 : draw.chance(0.1) ? 2 : 1;
      return draw.list(copies, () => draw.int(0, draw.pick([5, 600])) * 1000);
    },
    workerCount: () => (draw.chance(0.3) ? 2 : 1),
    laterMs: () => (draw.chance(0.1) ? draw.int(0, 120) * 1000 : 0),
  };
}
