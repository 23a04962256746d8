/** The plan says which requests to a stand-in go wrong, and how. fault-proxy.ts asks it before every request. */
import { seededRandom } from '../seeded-random.ts';

/**
 * `throttle`, `error`: not done, refused in AWS's own words. `slow`: held, then done, however long ago the client
 * has gone. `cut-before`: not done, no answer. `cut-after`: done, no answer.
 */
export const proxyEffects = ['throttle', 'error', 'slow', 'cut-before', 'cut-after'] as const;
export type ProxyEffect = (typeof proxyEffects)[number];

export const proxyTargets = ['table', 'secrets'] as const;
export type ProxyTarget = (typeof proxyTargets)[number];

/** Faults to come: for the next `count` requests that it fits, in the order in which they were asked for. */
export type ProxyFault = {
  readonly target: ProxyTarget;
  readonly effect: ProxyEffect;
  /** The API's name of the operation, such as UpdateItem; absent: any. */
  readonly operation?: string;
  readonly count: number;
  /** The client's further tries of the same call meet the same fault, and do not count. */
  readonly everyTry?: boolean;
};
/** Faults at random: a share of all requests, of any effect; of these every other meets all tries of a call. */
export type FaultProfile = { readonly target: ProxyTarget; readonly rate: number; readonly seed: number };

type ProxiedCall = {
  readonly target: ProxyTarget;
  readonly operation: string;
  /** The same for all tries of a call. */
  readonly invocationId: string;
};
export type FaultPlan = {
  add(fault: ProxyFault): void;
  setFaultProfile(faultProfile: FaultProfile): void;
  /** What is to become of this request; it then counts. */
  take(call: ProxiedCall): ProxyEffect | undefined;
  clear(): void;
  /** How often each has happened, `table throttle` and so on. */
  counts(): Readonly<Record<string, number>>;
};

/** Far more than can be under way at once. */
const MAX_PLANNED = 1_000;

/** A plan without faults. */
export function createFaultPlan(): FaultPlan {
  let waiting: ProxyFault[] = [];
  let sticks = false;
  const faultProfile = new Map<ProxyTarget, () => ProxyEffect | undefined>();
  const plannedEffects = new Map<string, ProxyEffect>();
  const counts = new Map<string, number>(
    proxyTargets.flatMap((target) => proxyEffects.map((effect) => [`${target} ${effect}`, 0] as const)),
  );
  const remember = (call: ProxiedCall, effect: ProxyEffect) => {
    const [oldest] = plannedEffects.keys();
    if (plannedEffects.size >= MAX_PLANNED && oldest !== undefined) plannedEffects.delete(oldest);
    plannedEffects.set(call.invocationId, effect);
  };
  const choose = (call: ProxiedCall): ProxyEffect | undefined => {
    const again = plannedEffects.get(call.invocationId);
    if (again !== undefined) return again;
    const fault = waiting.find((one) => fits(one, call));
    if (fault === undefined) {
      const effect = faultProfile.get(call.target)?.();
      if (effect !== undefined) sticks = !sticks;
      if (effect !== undefined && sticks) remember(call, effect);
      return effect;
    }
    waiting = waiting.flatMap((one) => (one === fault ? used(one) : [one]));
    if (fault.everyTry === true) remember(call, fault.effect);
    return fault.effect;
  };
  return {
    add: (fault) => void waiting.push(fault),
    setFaultProfile: (to) => void faultProfile.set(to.target, randomEffects(to)),
    take(call) {
      const effect = choose(call);
      const key = `${call.target} ${effect}`;
      if (effect !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
      return effect;
    },
    clear() {
      waiting = [];
      faultProfile.clear();
      plannedEffects.clear();
    },
    counts: () => Object.fromEntries(counts),
  };
}

function fits({ target, operation }: ProxyFault, call: ProxiedCall): boolean {
  return target === call.target && (operation === undefined || operation === call.operation);
}

function used(fault: ProxyFault): ProxyFault[] {
  return fault.count > 1 ? [{ ...fault, count: fault.count - 1 }] : [];
}

function randomEffects({ rate, seed }: FaultProfile): () => ProxyEffect | undefined {
  const random = seededRandom(seed);
  return () => (random() < rate ? proxyEffects[Math.floor(random() * proxyEffects.length)] : undefined);
}
