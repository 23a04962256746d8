/** Injects faults of the table and of Secrets Manager, and crashes, into a stack with fault points. */
import type { CrashPointName } from '../../sandbox/faults/crash-plan.ts';
import type { ProxyFault, RandomFaults } from '../../sandbox/faults/fault-plan.ts';
import type { RunningStackDescription } from '../../sandbox/local/start/stack-file.ts';

type FaultCounts = {
  /** `table throttle` and so on: how often it has happened. */
  readonly faults: Readonly<Record<string, number>>;
  /** The number of crashes at each crash point. */
  readonly crashes: Readonly<Record<string, number>>;
  /** The planned crashes at each crash point, or at `any`. */
  readonly waiting: Readonly<Record<string, number>>;
};
export type FaultControl = {
  add(...faults: readonly ProxyFault[]): Promise<void>;
  setRandomFaults(faultProfile: RandomFaults): Promise<void>;
  crash(place: CrashPointName, count?: number): Promise<void>;
  counts(): Promise<FaultCounts>;
  /** No more faults, no more crashes. */
  clear(): Promise<void>;
};

export function createFaultControl({ faultsUrl }: Pick<RunningStackDescription, 'faultsUrl'>): FaultControl {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${faultsUrl}/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    async add(...faults) {
      for (const fault of faults) await call('POST', 'faults', fault);
    },
    setRandomFaults: (faultProfile) => call('POST', 'weather', faultProfile),
    crash: (place, count = 1) => call('POST', 'crashes', { place, count }),
    counts: () => call('GET', 'counts'),
    clear: () => call('DELETE', 'faults'),
  };
}
