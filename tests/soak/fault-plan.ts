/** The faults of a soak: 1 % of the calls to the table, and so many of each other kind in every round. */
import type { CrashPointName } from '../../sandbox/faults/crash-plan.ts';
import { proxyEffects } from '../../sandbox/faults/fault-plan.ts';
import type { Fault } from '../stack-control.ts';
import type { SoakWorld } from './soak-world.ts';

const TABLE_RATE = 0.01;
const SLOW_EVERY_ROUNDS = 5;
const SLOW_MS = 3_200;
/** A plan without affected requests is not extended. */
const MAX_WAITING = 4;
const NEW_KEYS = 'platform signs with new keys';

type PlatformFault = { readonly name: string; readonly fault: Omit<Fault, 'target' | 'count'> };

const platformFaults: readonly PlatformFault[] = [
  {
    name: 'platform 520, token consumed',
    fault: { operation: 'refresh', status: 520, body: '<html>', consume: true },
  },
  { name: 'platform 503', fault: { operation: 'refresh', status: 503 } },
  { name: 'platform HTML with 200', fault: { operation: 'refresh', status: 200, body: '<html></html>' } },
  { name: 'platform 401 without a body', fault: { operation: 'refresh', status: 401, body: '' } },
  { name: 'platform cut before', fault: { operation: 'refresh', cut: 'before' } },
  { name: 'platform cut after', fault: { operation: 'refresh', cut: 'after' } },
  { name: 'platform code grant 503', fault: { operation: 'code', status: 503 } },
];
const slowPlatform: PlatformFault = {
  name: 'platform slow',
  fault: { operation: 'refresh', delayMs: SLOW_MS },
};

/** The number of each kind in a round of 300 customers. */
const crashPlaces: readonly (readonly [CrashPointName, number])[] = [
  ['refresh.after-read', 3],
  ['refresh.after-rotate', 4],
  ['refresh.before-answer', 4.5],
  ['refresh.after-late-repeat', 1],
  ['liveness.after-lease', 1],
  ['liveness.after-grant', 1],
  ['liveness.after-settle', 1],
  ['start.after-put', 1],
  ['exchange.after-claim', 1],
  ['exchange.after-code-grant', 0.5],
  ['exchange.after-keep-grant', 0.5],
  ['exchange.before-commit', 0.5],
  ['exchange.after-commit', 0.5],
  ['exchange.after-session-put', 0.5],
  ['revoke.after-tombstone', 1],
];

export type FaultPlan = {
  begin(seed: number): Promise<void>;
  /** Plans the faults of a round. */
  plan(round: number): Promise<void>;
  /** The number of faults of each kind so far. */
  counts(): Promise<Record<string, number>>;
  end(): Promise<void>;
};

/** `share`: 1 for a round of 300 customers. */
export function createFaultPlan(
  { faults, stack }: SoakWorld,
  share: number,
  random: () => number,
): FaultPlan {
  const planned = new Map<string, number>();
  const some = (amount: number) => Math.floor(amount * share + random());
  const planPlatform = async ({ name, fault }: PlatformFault, count: number) => {
    if (count === 0) return;
    await stack.control.faults({ target: 'sign-in', count, ...fault });
    planned.set(name, (planned.get(name) ?? 0) + count);
  };
  return {
    begin: (seed) => faults.setRandomFaults({ target: 'table', rate: TABLE_RATE, seed }),
    async plan(round) {
      const { waiting } = await faults.counts();
      for (const [place, amount] of crashPlaces) {
        const count = Math.min(some(amount), MAX_WAITING - (waiting[place] ?? 0));
        if (count > 0) await faults.crash(place, count);
      }
      for (const effect of proxyEffects) {
        const count = some(1.2);
        if (count > 0) await faults.add({ target: 'secrets', effect, count, everyTry: random() < 0.5 });
      }
      const newKeys = some(1.1);
      for (let made = 0; made < newKeys; made++) await stack.control.rotateSigningKeys();
      planned.set(NEW_KEYS, (planned.get(NEW_KEYS) ?? 0) + newKeys);
      for (const one of platformFaults) await planPlatform(one, some(1.1));
      if (round % SLOW_EVERY_ROUNDS === 0) await planPlatform(slowPlatform, some(1.1 * SLOW_EVERY_ROUNDS));
    },
    async counts() {
      const { faults: happened, crashes } = await faults.counts();
      const waiting = await stack.control.waitingFaults();
      const ofPlatform = [...planned].map(([name, count]) => {
        const kind = [...platformFaults, slowPlatform].find((one) => one.name === name);
        const left = waiting
          .filter((fault) => isOfKind(fault, kind?.fault))
          .reduce((sum, { count: n }) => sum + n, 0);
        return [name, count - left] as const;
      });
      return { ...happened, ...Object.fromEntries(ofPlatform), ...crashesByUseCase(crashes) };
    },
    async end() {
      await faults.clear();
      await stack.control.clearFaults();
    },
  };
}

function isOfKind(fault: Fault, kind: PlatformFault['fault'] | undefined): boolean {
  return (
    kind !== undefined && Object.entries(kind).every(([name, value]) => fault[name as keyof Fault] === value)
  );
}

function crashesByUseCase(crashes: Readonly<Record<string, number>>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [point] of crashPlaces) {
    const name = `crash in ${point.split('.')[0]}`;
    counts[name] = (counts[name] ?? 0) + (crashes[point] ?? 0);
  }
  return counts;
}
