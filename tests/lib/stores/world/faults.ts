import { ServiceError } from '../../../../lib/errors/service-error.ts';

/** The process crashed here. */
export class Crash extends Error {}

export type Call = {
  readonly at: 'table' | 'secrets';
  readonly operation: string;
  readonly count: number;
  readonly parameters: readonly unknown[];
};
/**
 * `before`: not processed, and the process crashes; `after`: processed, and it crashes; `lost`: processed without a
 * response; `down`: the service is unreachable.
 */
export type Fault = 'before' | 'after' | 'lost' | 'down';

/** `plan` is called for every call; `pause` may delay a call before it is sent, like a frozen process. */
export function createFaults() {
  return {
    calls: [] as Call[],
    plan: (_call: Call): Fault | undefined => undefined,
    pause: async (_call: Call): Promise<void> => undefined,
  };
}

/** `target` with faults before or after each of its operations. */
export function faulty<T extends object>(
  target: T,
  at: Call['at'],
  faults: ReturnType<typeof createFaults>,
): T {
  return new Proxy(target, {
    get(real, operation: string) {
      const method = Reflect.get(real, operation) as (...parameters: unknown[]) => Promise<unknown>;
      return async (...parameters: unknown[]) => {
        const call = { at, operation, count: faults.calls.length, parameters };
        faults.calls.push(call);
        await faults.pause(call);
        const fault = faults.plan(call);
        if (fault === 'down') throw new ServiceError('TEMPORARILY_UNAVAILABLE');
        if (fault === 'before') throw new Crash();
        const result = await method(...parameters);
        if (fault === 'after') throw new Crash();
        if (fault === 'lost') throw new ServiceError('TEMPORARILY_UNAVAILABLE');
        return result;
      };
    },
  });
}

/**
 * Runs `command` again and again, each time with the process dying one step later, and after each death
 * `recover`: the same command by a fresh process. Returns at how many points it died.
 */
export async function crashEverywhere(
  attempt: (fault: (call: Call) => Fault | undefined) => Promise<unknown>,
  check: (point: string) => Promise<void>,
): Promise<number> {
  let points = 0;
  for (let step = 0; ; step++) {
    for (const fault of ['before', 'after'] as const) {
      let died: Call | undefined;
      const outcome = await attempt((call) => {
        if (call.count !== step) return undefined;
        died = call;
        return fault;
      }).then(
        () => 'done',
        (error: unknown) => error,
      );
      if (died === undefined) return points;
      if (!(outcome instanceof Crash))
        throw new Error(`no crash ${fault} ${died.operation}`, { cause: outcome });
      points++;
      await check(`${fault} ${died.at}.${died.operation} (${step})`);
    }
  }
}
