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
  setRandomFaults(randomFaults: RandomFaults): void;
  /** Returns the fault for this request, if any, and counts it. */
  take(call: ProxiedCall): ProxyEffect | undefined;
  clear(): void;
  /** The number of faults by kind, for example `table throttle`. */
  counts(): Readonly<Record<string, number>>;
};

/** The number of calls whose effect is remembered for their retries: far more than can be in progress concurrently. */
const MAX_REMEMBERED_EFFECTS = 1_000;

/** Creates a plan without faults. */
export function createFaultPlan(): FaultPlan {
  let waitingFaults: ProxyFault[] = [];
  let appliesToRetries = false;
  const randomEffectByTarget = new Map<ProxyTarget, () => ProxyEffect | undefined>();
  const effectByInvocationId = new Map<string, ProxyEffect>();
  const countByFault = new Map<string, number>(
    proxyTargets.flatMap((target) => proxyEffects.map((effect) => [`${target} ${effect}`, 0] as const)),
  );
  const rememberEffect = (call: ProxiedCall, effect: ProxyEffect) => {
    const [oldestInvocationId] = effectByInvocationId.keys();
    if (effectByInvocationId.size >= MAX_REMEMBERED_EFFECTS && oldestInvocationId !== undefined)
      effectByInvocationId.delete(oldestInvocationId);
    effectByInvocationId.set(call.invocationId, effect);
  };
  const chooseEffect = (call: ProxiedCall): ProxyEffect | undefined => {
    const rememberedEffect = effectByInvocationId.get(call.invocationId);
    if (rememberedEffect !== undefined) return rememberedEffect;
    const matchingFault = waitingFaults.find((fault) => matchesCall(fault, call));
    if (matchingFault === undefined) {
      const randomEffect = randomEffectByTarget.get(call.target)?.();
      if (randomEffect !== undefined) appliesToRetries = !appliesToRetries;
      if (randomEffect !== undefined && appliesToRetries) rememberEffect(call, randomEffect);
      return randomEffect;
    }
    waitingFaults = waitingFaults.flatMap((fault) =>
      fault === matchingFault ? consumeOneUse(fault) : [fault],
    );
    if (matchingFault.everyTry === true) rememberEffect(call, matchingFault.effect);
    return matchingFault.effect;
  };
  return {
    add: (fault) => void waitingFaults.push(fault),
    setRandomFaults: (randomFaults) =>
      void randomEffectByTarget.set(randomFaults.target, createRandomEffectChooser(randomFaults)),
    take(call) {
      const chosenEffect = chooseEffect(call);
      const key = `${call.target} ${chosenEffect}`;
      if (chosenEffect !== undefined) countByFault.set(key, (countByFault.get(key) ?? 0) + 1);
      return chosenEffect;
    },
    clear() {
      waitingFaults = [];
      randomEffectByTarget.clear();
      effectByInvocationId.clear();
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

function createRandomEffectChooser({ rate, seed }: RandomFaults): () => ProxyEffect | undefined {
  const random = createSeededRandom(seed);
  return () => (random() < rate ? proxyEffects[Math.floor(random() * proxyEffects.length)] : undefined);
}
