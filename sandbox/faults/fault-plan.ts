/** The planned faults of requests to an emulator. fault-proxy.ts consults the plan before every request. */
import { createSeededRandom } from '../seeded-random.ts';

/**
 * `throttle`, `error`: not executed, refused with AWS's error. `slow`: delayed, then executed, even when the client has
 * disconnected. `cut-before`: not executed, no response. `cut-after`: executed, no response.
 */
export const proxyEffects = ['throttle', 'error', 'slow', 'cut-before', 'cut-after'] as const;
export type ProxyEffect = (typeof proxyEffects)[number];

export const proxyTargets = ['table', 'secrets'] as const;
export type ProxyTarget = (typeof proxyTargets)[number];

/** A planned fault for the next `count` matching requests, in the order in which the faults were added. */
export type ProxyFault = {
  readonly target: ProxyTarget;
  readonly effect: ProxyEffect;
  /** The API's name of the operation, such as UpdateItem; undefined for all. */
  readonly operation?: string;
  readonly count: number;
  /** Retries of the same call get the same fault, and do not count. */
  readonly everyTry?: boolean;
};
/**
 * Random faults: the fraction `rate` (0 to 1) of all requests fails, with any effect. Every second fault applies to all
 * retries of its call.
 */
export type RandomFaults = { readonly target: ProxyTarget; readonly rate: number; readonly seed: number };

type ProxiedCall = {
  readonly target: ProxyTarget;
  readonly operation: string;
  /** The same for all attempts of a call. */
  readonly invocationId: string;
};
export type FaultPlan = {
  add(fault: ProxyFault): void;
  setRandomFaults(faultProfile: RandomFaults): void;
  /** Returns the fault for this request, if any, and counts it. */
  take(call: ProxiedCall): ProxyEffect | undefined;
  clear(): void;
  /** The number of faults by kind, for example `table throttle`. */
  counts(): Readonly<Record<string, number>>;
};

/** Far more than can be in progress concurrently. */
const MAX_PLANNED_FAULTS = 1_000;

/** Creates a plan without faults. */
export function createFaultPlan(): FaultPlan {
  let waitingFaults: ProxyFault[] = [];
  let appliesToRetries = false;
  const faultProfile = new Map<ProxyTarget, () => ProxyEffect | undefined>();
  const plannedEffects = new Map<string, ProxyEffect>();
  const countByFault = new Map<string, number>(
    proxyTargets.flatMap((target) => proxyEffects.map((effect) => [`${target} ${effect}`, 0] as const)),
  );
  const rememberEffect = (call: ProxiedCall, effect: ProxyEffect) => {
    const [oldest] = plannedEffects.keys();
    if (plannedEffects.size >= MAX_PLANNED_FAULTS && oldest !== undefined) plannedEffects.delete(oldest);
    plannedEffects.set(call.invocationId, effect);
  };
  const chooseEffect = (call: ProxiedCall): ProxyEffect | undefined => {
    const plannedEffect = plannedEffects.get(call.invocationId);
    if (plannedEffect !== undefined) return plannedEffect;
    const matchingFault = waitingFaults.find((one) => matchesCall(one, call));
    if (matchingFault === undefined) {
      const profileEffect = faultProfile.get(call.target)?.();
      if (profileEffect !== undefined) appliesToRetries = !appliesToRetries;
      if (profileEffect !== undefined && appliesToRetries) rememberEffect(call, profileEffect);
      return profileEffect;
    }
    waitingFaults = waitingFaults.flatMap((one) => (one === matchingFault ? consumeOneUse(one) : [one]));
    if (matchingFault.everyTry === true) rememberEffect(call, matchingFault.effect);
    return matchingFault.effect;
  };
  return {
    add: (fault) => void waitingFaults.push(fault),
    setRandomFaults: (to) => void faultProfile.set(to.target, createRandomEffects(to)),
    take(call) {
      const chosenEffect = chooseEffect(call);
      const key = `${call.target} ${chosenEffect}`;
      if (chosenEffect !== undefined) countByFault.set(key, (countByFault.get(key) ?? 0) + 1);
      return chosenEffect;
    },
    clear() {
      waitingFaults = [];
      faultProfile.clear();
      plannedEffects.clear();
    },
    counts: () => Object.fromEntries(countByFault),
  };
}

function matchesCall({ target, operation }: ProxyFault, call: ProxiedCall): boolean {
  return target === call.target && (operation === undefined || operation === call.operation);
}

function consumeOneUse(fault: ProxyFault): ProxyFault[] {
  return fault.count > 1 ? [{ ...fault, count: fault.count - 1 }] : [];
}

function createRandomEffects({ rate, seed }: RandomFaults): () => ProxyEffect | undefined {
  const random = createSeededRandom(seed);
  return () => (random() < rate ? proxyEffects[Math.floor(random() * proxyEffects.length)] : undefined);
}
