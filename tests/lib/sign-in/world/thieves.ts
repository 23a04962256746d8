/**
 * A thief with a copy of a refresh token beside its owner: both ask when they like, more than 60 s apart, and use what
 * they get or not. Who has used which generation is kept here, apart from what the service can know.
 */
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { outcome } from './journey.ts';
import type { Random, Simulation } from './simulation.ts';

export type Rhythm = { readonly leastSeconds: number; readonly mostSeconds: number };
export type PlayedThief = {
  /** Generations that both have used. */
  readonly sharedGenerations: number;
  /** What the service should have ended, and did not. */
  readonly missed: string | undefined;
};

type Holder = 'owner' | 'thief';
type Play = {
  readonly world: Simulation;
  readonly held: Record<Holder, TokenPair>;
  readonly copied: number;
  readonly usedBy: Map<number, Set<Holder>>;
  sharedGenerations: number;
  sharedAtMs: number;
  /** Two generations within 30 days were used by both. */
  isCertain: boolean;
};

const STEPS = 40;
const MEMORY_MS = 30 * 86_400_000;
/** So many replaced generations the service remembers. */
const REMEMBERED = 4;
const CALL_RATE = 0.3;

/** Plays until the session ends, or for 40 steps. */
export async function playThief(world: Simulation, random: Random, rhythm: Rhythm): Promise<PlayedThief> {
  const pair = await world.signIn();
  const play: Play = {
    world,
    held: { owner: pair, thief: pair },
    copied: 1,
    usedBy: new Map(),
    sharedGenerations: 0,
    sharedAtMs: -Infinity,
    isCertain: false,
  };
  const callRates: Record<Holder, number> = { owner: random(), thief: random() < 0.3 ? 0 : random() };
  for (let step = 0; step < STEPS; step++) {
    const who: Holder = random() < 0.5 ? 'owner' : 'thief';
    const { leastSeconds, mostSeconds } = rhythm;
    world.clock.nowMs += Math.ceil((leastSeconds + random() * (mostSeconds - leastSeconds)) * 1000);
    const isGood =
      (random() < CALL_RATE || (await ask(play, who))) &&
      (random() >= callRates[who] || (await call(play, who)));
    const { status } = await world.session(pair);
    if (status === 'revoked' || !isGood)
      return { ...play, missed: status === 'revoked' ? undefined : 'refused' };
    if (play.isCertain) return { ...play, missed: `step ${step} of ${JSON.stringify(rhythm)}` };
  }
  return { ...play, missed: undefined };
}

/** Refreshes with what `who` holds, which is a use of it. */
async function ask(play: Play, who: Holder): Promise<boolean> {
  await note(play, who);
  const pair = await play.world.refresh(play.held[who]).catch(() => undefined);
  if (pair !== undefined) play.held[who] = pair;
  return pair !== undefined;
}

async function call(play: Play, who: Holder): Promise<boolean> {
  const pair = play.held[who];
  if (Date.parse(pair.expiresAt) <= play.world.clock.nowMs) return true;
  await note(play, who);
  return (await outcome(play.world.use(pair))) === 'ok';
}

async function note(play: Play, who: Holder): Promise<void> {
  const { world, held, usedBy, copied } = play;
  const { generation } = world.claimsOf(held[who]);
  const current = (await world.session(held[who])).generation;
  if (generation === copied || current - generation > REMEMBERED) return;
  const users = usedBy.get(generation) ?? new Set();
  const wasShared = users.size === 2;
  usedBy.set(generation, users.add(who));
  if (users.size < 2 || wasShared) return;
  play.sharedGenerations++;
  play.isCertain = world.clock.nowMs - play.sharedAtMs <= MEMORY_MS;
  play.sharedAtMs = world.clock.nowMs;
}

const WATCHED = 6;

/**
 * He rotates ahead, then asks every `periodSeconds` until he hears that the owner has asked too, which numbers alone do
 * not tell as surely: then both hold the same hand-out. True: the session was ended all the same.
 */
export async function playWatcher(
  world: Simulation,
  random: Random,
  periodSeconds: number,
): Promise<boolean> {
  const copied = await world.signIn();
  const held = { owner: copied, thief: copied };
  for (let generation = 0; generation < WATCHED; generation++) {
    const ahead = held.thief;
    await world.refresh(ahead);
    const ownerAtMs = world.clock.nowMs + 60_000 + Math.ceil(random() * 1_800_000);
    for (let nextMs = world.clock.nowMs, handOut = 0; ; ) {
      nextMs += periodSeconds * 1000;
      if (ownerAtMs > world.clock.nowMs && ownerAtMs <= nextMs) {
        world.clock.nowMs = ownerAtMs;
        held.owner = await world.refresh(held.owner);
        await world.use(held.owner);
      }
      const hasOwnerMadeIt = world.claimsOf(held.owner).handOut > handOut;
      world.clock.nowMs = nextMs;
      const pair = await world.refresh(ahead).catch(() => undefined);
      if (pair === undefined) return true;
      held.thief = pair;
      handOut = world.claimsOf(pair).handOut;
      if (hasOwnerMadeIt && world.claimsOf(held.owner).generation === world.claimsOf(pair).generation) break;
    }
  }
  return false;
}
