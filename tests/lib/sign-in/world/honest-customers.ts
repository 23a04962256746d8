/**
 * Customers whose apps keep to the contract: tabs share one stored refresh token, read it just before they refresh and
 * store the new pair before they use it. Their network loses answers; a tab may freeze with one in its hands.
 */
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { outcome } from './journey.ts';
import type { Random, Simulation } from './simulation.ts';

export type Habits = {
  /** The share of answers that one customer loses. */
  readonly lossOf: (random: Random) => number;
  readonly refreshes: number;
  /** Between two refreshes, on average. */
  readonly gapSeconds: number;
  readonly tabs: 1 | 2;
  /** Every 30 days a tab freezes with an answer that it has not stored, and uses it when it wakes. */
  readonly freezes: boolean;
};

type Play = {
  readonly world: Simulation;
  readonly random: Random;
  readonly loss: number;
  stored: TokenPair;
  frozenAtMs: number;
};

const MOST_TRIES = 200;
const FREEZE_EVERY_MS = 30 * 86_400_000 + 3_600_000;
const USED_RATE = 0.8;

/** Plays one customer: `lives`, or the code that the app was refused with. */
export async function playCustomer(world: Simulation, random: Random, habits: Habits): Promise<string> {
  const stored = await world.signIn();
  const play: Play = { world, random, loss: habits.lossOf(random), stored, frozenAtMs: -Infinity };
  for (let i = 0; i < habits.refreshes; i++) {
    advance(play, 2 * random() * habits.gapSeconds);
    const freezes = habits.freezes && world.clock.nowMs - play.frozenAtMs > FREEZE_EVERY_MS;
    const end = await (freezes ? refreshFrozen(play) : refreshUntilReceived(play, habits.tabs));
    if (end !== 'ok') return end;
    if (random() < USED_RATE) {
      const used = await outcome(world.use(play.stored));
      if (used !== 'ok') return used;
    }
  }
  return 'lives';
}

/** Tries again at once, in a minute, or much later, until an answer comes through. */
async function refreshUntilReceived(play: Play, tabs: number): Promise<string> {
  const { world, random, loss } = play;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const asked = Array.from({ length: random() < 0.2 ? tabs : 1 }, () => world.refresh(play.stored));
    const answers = await Promise.allSettled(asked);
    const received = answers.filter(() => random() >= loss);
    const refused = answers.find((answer) => answer.status === 'rejected');
    if (refused !== undefined) return String(refused.reason.code);
    const [first] = received;
    if (first?.status === 'fulfilled') {
      play.stored = first.value;
      return 'ok';
    }
    advance(play, random() < 0.5 ? 2 : 10 ** (1 + 4 * random()));
  }
  return 'never received';
}

/** One tab freezes with the answer; the other repeats, and goes on; the first wakes, and asks with what it has. */
async function refreshFrozen(play: Play): Promise<string> {
  const { world, random } = play;
  play.frozenAtMs = world.clock.nowMs;
  const frozen = await world.refresh(play.stored);
  advance(play, 61 + 1_000 * random());
  play.stored = await world.refresh(play.stored);
  await world.use(play.stored);
  advance(play, 1_000 * random());
  return outcome(world.use(frozen));
}

function advance({ world }: Play, seconds: number): void {
  world.clock.nowMs += Math.round(seconds * 1000);
}
