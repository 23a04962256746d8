/** A soak from beginning to end: rounds of all customers under faults, then expiry, then the search for secrets. */
import { createSeededRandom } from '../../sandbox/seeded-random.ts';
import { startTestStack } from '../stack.ts';
import type { Customer } from './customer.ts';
import { expireSessions } from './expire-sessions.ts';
import { createFaultPlan } from './fault-plan.ts';
import { findSecrets } from './find-secrets.ts';
import { failures } from './ledger.ts';
import { createRingRotation } from './ring-rotation.ts';
import { createSoakWorld, type SoakWorld } from './soak-world.ts';
import { runTurn } from './turn.ts';

export type SoakOptions = {
  readonly seed: number;
  readonly customers: number;
  readonly rounds: number;
  /** Called after every round. */
  readonly progress: (done: { readonly round: number; readonly world: SoakWorld }) => void;
};
export type SoakResult = {
  readonly seconds: number;
  readonly counts: Readonly<Record<string, number>>;
  /** The number of injected faults of each kind. */
  readonly injected: Readonly<Record<string, number>>;
  readonly secretsFound: readonly string[];
  readonly searchedSecrets: number;
  readonly bytesSearched: number;
  readonly details: readonly string[];
  readonly isClean: boolean;
};

/** The number of concurrent customers, a third of it in a small soak: every container costs a start. */
const CONCURRENCY = 12;
const COPIES = 10;
const WHOLE = 300;
const PLATFORM_TOKEN_SECONDS = 5;
/** The seconds by which the clock advances between rounds: mostly too few for a late retry, or just enough. */
const MOVES = [3, 8, 20, 45, 59, 61, 65, 75, 90, 120, 300, 960, 1_000, 3_600, 7_200];

export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const startedAt = performance.now();
  await using parts = new AsyncDisposableStack();
  const stack = await startTestStack({ faultPoints: true, platformTokenSeconds: PLATFORM_TOKEN_SECONDS });
  parts.defer(async () => void (await stack.stop().catch(stillDying)));
  const world = await createSoakWorld(stack, Math.min(COPIES, Math.ceil(options.customers / 2)));
  parts.defer(() => world.close());
  const customers = await makeCustomers(world, options);
  const injected = await runRounds(world, customers, options);
  await expireSessions(world, customers, (work) => forEachConcurrently(customers, work));
  const search = await findSecrets(world);
  const { ledger } = world;
  return {
    ...search,
    injected,
    seconds: (performance.now() - startedAt) / 1000,
    counts: ledger.all(),
    details: ledger.details(),
    isClean: failures.every((name) => ledger.of(name) === 0) && search.secretsFound.length === 0,
  };
}

/** An instance that is killed in mid-request leaves one open: not what this is about. */
function stillDying(error: unknown): void {
  if (!(error instanceof Error) || !error.message.startsWith('Requests after the answer')) throw error;
}

async function makeCustomers({ stack }: SoakWorld, options: SoakOptions): Promise<Customer[]> {
  const { customers } = await stack.control.seed({ customers: options.customers });
  return customers.map(({ id, email }, index) => ({
    id,
    email,
    random: createSeededRandom(options.seed * 1_000_003 + index),
    tokens: undefined,
    before: undefined,
    pending: undefined,
    lost: undefined,
    theft: undefined,
  }));
}

async function runRounds(world: SoakWorld, customers: readonly Customer[], options: SoakOptions) {
  const random = createSeededRandom(options.seed);
  const ring = createRingRotation(world);
  const faultProfile = createFaultPlan(world, customers.length / WHOLE, random);
  await faultProfile.begin(options.seed);
  for (let round = 0; round < options.rounds; round++) {
    await faultProfile.plan(round);
    const order = customers.toSorted(() => random() - 0.5);
    await Promise.all([forEachConcurrently(order, (customer) => runTurn(world, customer)), ring.step()]);
    await world.advance(MOVES[Math.floor(random() * MOVES.length)] ?? 0);
    options.progress({ round: round + 1, world });
  }
  const counts = await faultProfile.counts();
  await faultProfile.end();
  ring.close();
  return counts;
}

async function forEachConcurrently(
  customers: readonly Customer[],
  work: (customer: Customer) => Promise<void>,
): Promise<void> {
  const waiting = [...customers];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  const workers = Math.min(CONCURRENCY, Math.ceil(customers.length / 3));
  await Promise.all(Array.from({ length: workers }, worker));
}
