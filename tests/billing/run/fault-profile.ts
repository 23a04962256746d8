/** What goes wrong in a simulation: crashes, lost answers, several workers, and webhooks that are lost, doubled or late. */
import type { BehaviourSettings } from '../../../sandbox/platform/state/unpublished-behaviour.ts';
import { createDraw } from '../oracle/random/draw.ts';
import { type CrashPoints, createCrashPoints } from './crash-points.ts';
import type { ProcessFault } from './service-processes.ts';

export type RandomFaults = {
  readonly isFaulty: boolean;
  /** The platform's behaviour where it is not published. */
  readonly behaviour: Partial<BehaviourSettings>;
  /** Returns the faults of the next process of a function; undefined for none. */
  processFault(functionName: string): ProcessFault | undefined;
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
export const CALM: RandomFaults = {
  isFaulty: false,
  behaviour: {},
  processFault: () => undefined,
  webhookDelays: () => [2_000],
  workerCount: () => 1,
  laterMs: () => 0,
};

/**
 * Half of the processes meet a fault, the others none, so that work goes on. At a step that was left less often than others
 * nearly every process crashes, because some steps come up a few times in all stores. The next process of the function does
 * not, so that an outcome is known within the hours in which a customer asks for another try.
 */
export function createStorm(
  seed: number,
  behaviour: Partial<BehaviourSettings> = {},
  crashPoints: CrashPoints = createCrashPoints(),
): RandomFaults {
  const draw = createDraw(seed);
  const functionsAfterRareCrash = new Set<string>();
  return {
    isFaulty: true,
    behaviour,
    processFault(functionName) {
      let isOver = draw.chance(0.5);
      let isSpared = functionsAfterRareCrash.delete(functionName);
      // Otherwise nearly all processes would end before their last steps.
      let unharmedSteps = draw.int(0, draw.pick([0, 20, 200]));
      return (step) => {
        const name = `${functionName}: ${step}`;
        crashPoints.meet(name);
        unharmedSteps -= 1;
        const isRare = !isSpared && crashPoints.isRare(name);
        if (!isRare && (isOver || unharmedSteps >= 0)) return undefined;
        if (!draw.chance(isRare ? 0.8 : 0.04)) return undefined;
        [isOver, isSpared] = [true, true];
        if (isRare) functionsAfterRareCrash.add(functionName);
        const fault = draw.chance(0.2) ? 'lost' : crashPoints.rarerCrash(name);
        crashPoints.count(name, fault);
        return fault;
      };
    },
    webhookDelays() {
      const copies = draw.chance(0.1) ? 0 : draw.chance(0.1) ? 2 : 1;
      return draw.list(copies, () => draw.int(0, draw.pick([5, 600])) * 1000);
    },
    workerCount: () => (draw.chance(0.3) ? 2 : 1),
    laterMs: () => (draw.chance(0.1) ? draw.int(0, 120) * 1000 : 0),
    // Others act between the readings of an order and its attempt.
    requestMs: () => draw.int(0, draw.pick([0, 200, 3_000])),
  };
}
