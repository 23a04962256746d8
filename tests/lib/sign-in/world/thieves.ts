/**
 * A thief with a copy of a refresh token, and its owner: both refresh at any time, more than 60 s apart, and may use
 * the new pair. This file records who used which generation, independently of the service.
 */
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { outcome } from './journey.ts';
import type { Random, Simulation } from './simulation.ts';

export type Frequency = { readonly minSeconds: number; readonly maxSeconds: number };
export type ThiefResult = {
  /** Generations that both have used. */
  readonly sharedGenerations: number;
  /** A session that the service should have revoked, but did not. */
  readonly missed: string | undefined;
};

type Holder = 'owner' | 'thief';
type SimulatedClient = {
  readonly world: Simulation;
  readonly stored: Record<Holder, TokenPair>;
  readonly copied: number;
  readonly usedBy: Map<number, Set<Holder>>;
  sharedGenerations: number;
  sharedAtMs: number;
  /** Both used two generations within 30 days. */
  isCertain: boolean;
};

const STEPS = 40;
const MEMORY_MS = 30 * 86_400_000;
/** The number of replaced generations that the service remembers. */
const REMEMBERED = 4;
const CALL_RATE = 0.3;

/** Runs until the session ends, or for 40 steps. */
export async function simulateThief(
  world: Simulation,
  random: Random,
  thiefTiming: Frequency,
): Promise<ThiefResult> {
  const pair = await world.signIn();
  const simulation: SimulatedClient = {
    world,
    stored: { owner: pair, thief: pair },
    copied: 1,
    usedBy: new Map(),
    sharedGenerations: 0,
    sharedAtMs: -Infinity,
    isCertain: false,
  };
  const callRates: Record<Holder, number> = { owner: random(), thief: random() < 0.3 ? 0 : random() };
  for (let step = 0; step < STEPS; step++) {
    const holder: Holder = random() < 0.5 ? 'owner' : 'thief';
    const { minSeconds, maxSeconds } = thiefTiming;
    world.clock.nowMs += Math.ceil((minSeconds + random() * (maxSeconds - minSeconds)) * 1000);
    const isGood =
      (random() < CALL_RATE || (await ask(simulation, holder))) &&
      (random() >= callRates[holder] || (await call(simulation, holder)));
    const { status } = await world.session(pair);
    if (status === 'revoked' || !isGood)
      return { ...simulation, missed: status === 'revoked' ? undefined : 'refused' };
    if (simulation.isCertain)
      return { ...simulation, missed: `step ${step} of ${JSON.stringify(thiefTiming)}` };
  }
  return { ...simulation, missed: undefined };
}

/** Refreshes with what `who` holds, which is a use of it. */
async function ask(simulation: SimulatedClient, holder: Holder): Promise<boolean> {
  await note(simulation, holder);
  const pair = await simulation.world.refresh(simulation.stored[holder]).catch(() => undefined);
  if (pair !== undefined) simulation.stored[holder] = pair;
  return pair !== undefined;
}

async function call(simulation: SimulatedClient, holder: Holder): Promise<boolean> {
  const pair = simulation.stored[holder];
  if (Date.parse(pair.expiresAt) <= simulation.world.clock.nowMs) return true;
  await note(simulation, holder);
  return (await outcome(simulation.world.use(pair))) === 'ok';
}

async function note(simulation: SimulatedClient, holder: Holder): Promise<void> {
  const { world, stored: leased, usedBy, copied } = simulation;
  const { generation } = world.claimsOf(leased[holder]);
  const current = (await world.session(leased[holder])).generation;
  if (generation === copied || current - generation > REMEMBERED) return;
  const users = usedBy.get(generation) ?? new Set();
  const wasShared = users.size === 2;
  usedBy.set(generation, users.add(holder));
  if (users.size < 2 || wasShared) return;
  simulation.sharedGenerations++;
  simulation.isCertain = world.clock.nowMs - simulation.sharedAtMs <= MEMORY_MS;
  simulation.sharedAtMs = world.clock.nowMs;
}

const WATCHED = 6;

/**
 * Simulates a thief who rotates first, and then retries every `periodSeconds` until the issue number shows that the
 * owner has refreshed too: then both hold the same issue. Returns whether the service revoked the session.
 */
export async function simulateWatcher(
  world: Simulation,
  random: Random,
  periodSeconds: number,
): Promise<boolean> {
  const copied = await world.signIn();
  const leased = { owner: copied, thief: copied };
  for (let generation = 0; generation < WATCHED; generation++) {
    const ahead = leased.thief;
    await world.refresh(ahead);
    const ownerAtMs = world.clock.nowMs + 60_000 + Math.ceil(random() * 1_800_000);
    for (let nextMs = world.clock.nowMs, handOut = 0; ; ) {
      nextMs += periodSeconds * 1000;
      if (ownerAtMs > world.clock.nowMs && ownerAtMs <= nextMs) {
        world.clock.nowMs = ownerAtMs;
        leased.owner = await world.refresh(leased.owner);
        await world.use(leased.owner);
      }
      const hasOwnerMadeIt = world.claimsOf(leased.owner).handOut > handOut;
      world.clock.nowMs = nextMs;
      const pair = await world.refresh(ahead).catch(() => undefined);
      if (pair === undefined) return true;
      leased.thief = pair;
      handOut = world.claimsOf(pair).handOut;
      if (hasOwnerMadeIt && world.claimsOf(leased.owner).generation === world.claimsOf(pair).generation)
        break;
    }
  }
  return false;
}
