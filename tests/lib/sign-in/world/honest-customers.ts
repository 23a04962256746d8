/**
 * Customers whose apps follow the client contract: tabs share one stored refresh token, read it just before they
 * refresh and store the new pair before they use it. Their network loses responses; a tab may freeze with a response.
 */
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { outcome } from './journey.ts';
import type { Random, Simulation } from './simulation.ts';

export type Profile = {
  /** The share of answers that one customer loses. */
  readonly lossOf: (random: Random) => number;
  readonly refreshes: number;
  /** Between two refreshes, on average. */
  readonly gapSeconds: number;
  readonly tabs: 1 | 2;
  /** Every 30 days a tab freezes with an answer that it has not stored, and uses it when it wakes. */
  readonly freezes: boolean;
};

type SimulatedClient = {
  readonly world: Simulation;
  readonly random: Random;
  readonly loss: number;
  stored: TokenPair;
  frozenAtMs: number;
};

const MAX_ATTEMPTS = 200;
const FREEZE_EVERY_MS = 30 * 86_400_000 + 3_600_000;
const USED_RATE = 0.8;

/** Simulates one customer. Returns `lives`, or the code of the app's rejection. */
export async function simulateCustomer(world: Simulation, random: Random, profile: Profile): Promise<string> {
  const stored = await world.signIn();
  const simulation: SimulatedClient = {
    world,
    random,
    loss: profile.lossOf(random),
    stored,
    frozenAtMs: -Infinity,
  };
  for (let i = 0; i < profile.refreshes; i++) {
    advance(simulation, 2 * random() * profile.gapSeconds);
    const freezes = profile.freezes && world.clock.nowMs - simulation.frozenAtMs > FREEZE_EVERY_MS;
    const end = await (freezes ? refreshFrozen(simulation) : refreshUntilReceived(simulation, profile.tabs));
    if (end !== 'ok') return end;
    if (random() < USED_RATE) {
      const used = await outcome(world.use(simulation.stored));
      if (used !== 'ok') return used;
    }
  }
  return 'lives';
}

/** Retries immediately, in a minute, or much later, until a response arrives. */
async function refreshUntilReceived(simulation: SimulatedClient, tabs: number): Promise<string> {
  const { world, random, loss } = simulation;
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const requests = Array.from({ length: random() < 0.2 ? tabs : 1 }, () =>
      world.refresh(simulation.stored),
    );
    const answers = await Promise.allSettled(requests);
    const received = answers.filter(() => random() >= loss);
    const refused = answers.find((answer) => answer.status === 'rejected');
    if (refused !== undefined) return String(refused.reason.code);
    const [first] = received;
    if (first?.status === 'fulfilled') {
      simulation.stored = first.value;
      return 'ok';
    }
    advance(simulation, random() < 0.5 ? 2 : 10 ** (1 + 4 * random()));
  }
  return 'never received';
}

/**
 * One tab freezes with the response; the other retries and continues; then the first resumes, and refreshes with its
 * old pair.
 */
async function refreshFrozen(simulation: SimulatedClient): Promise<string> {
  const { world, random } = simulation;
  simulation.frozenAtMs = world.clock.nowMs;
  const frozen = await world.refresh(simulation.stored);
  advance(simulation, 61 + 1_000 * random());
  simulation.stored = await world.refresh(simulation.stored);
  await world.use(simulation.stored);
  advance(simulation, 1_000 * random());
  return outcome(world.use(frozen));
}

function advance({ world }: SimulatedClient, seconds: number): void {
  world.clock.nowMs += Math.round(seconds * 1000);
}
