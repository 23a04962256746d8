/** Runs a description and compares it with the oracle at several paces: where windows overlap, each result is accepted. */
import type { Card, Description } from '../oracle/description.ts';
import { expectCharges } from '../oracle/expect-charges.ts';
import type { ContractExpectation, Expectation } from '../oracle/expectation.ts';
import { listDifferences, listOmittedOrders, observe } from './compare.ts';
import { addCounts, type Counts, countOrders } from './count-orders.ts';
import type { RandomFaults } from './fault-profile.ts';
import { countUnseenAttempts, listDoubleCharges, listViolations } from './list-violations.ts';
import { type Simulation, simulate, type World } from './simulate.ts';

const MINUTE_MS = 60_000;
type Pace = { readonly paceMs: number; readonly followUpDelayMs: number };

const toPace = (minutes: number, giveUpMinutes: number): Pace => ({
  paceMs: minutes * MINUTE_MS,
  followUpDelayMs: giveUpMinutes * MINUTE_MS,
});
const FIRST_PACE = toPace(1, 0);
/** At a pace of 0 the service acts in the minute in which it may: what is due after a stop is done at once. */
const PACES: readonly Pace[] = [
  FIRST_PACE,
  ...[0, 5, 15, 25, 45].map((minutes) => toPace(minutes, 0)),
  ...[1, 5, 15, 25, 45].map((minutes) => toPace(minutes, 15)),
];

/** The longest time in which the platform is busy: each attempt of it is repeated every 15 minutes. */
const MAX_BUSY_MS = 6 * 60 * MINUTE_MS;

/**
 * Returns the description with shorter times in which the platform is busy, and with attempts that never end for its first
 * contract alone: the service looks after such an attempt for a week.
 */
export function shortenBusyTimes(description: Description): Description {
  const contracts = description.contracts.map(({ refusals = [], ...contract }, at) => ({
    ...contract,
    ...(at > 0 && { card: endEachAttempt(contract.card) }),
    events: contract.events.map((event) =>
      event.kind === 'card' && at > 0 ? { ...event, card: endEachAttempt(event.card) } : event,
    ),
    refusals: refusals.map((refusal) => {
      const isBusy = refusal.code === 'THROTTLED' || refusal.code === 'PROCESSING_FAILED';
      const untilMs = isBusy ? Math.min(refusal.untilMs, refusal.fromMs + MAX_BUSY_MS) : refusal.untilMs;
      return { ...refusal, untilMs };
    }),
  }));
  // At 2 o'clock the run and the night that counts its orders begin in the same minute.
  const changes = description.store.changes.map((change) =>
    change.kind === 'settings' && change.settings.hour === 2
      ? { ...change, settings: { ...change.settings, hour: 3 } }
      : change,
  );
  return { ...description, store: { ...description.store, changes }, contracts };
}

function endEachAttempt({ answers, ...card }: Card): Card {
  const ended = answers.map((answer) =>
    answer.outcome === 'PENDING' ? { ...answer, outcome: 'DO_NOT_HONOR' } : answer,
  );
  return { ...card, answers: ended };
}

export type StoreFindings = {
  readonly faults: readonly string[];
  readonly counts: Counts;
};

/** Finds orders that are paid twice, or neither charged nor reported: no fault and no act of others excuses these. */
export async function findViolations(
  description: Description,
  profile: RandomFaults,
): Promise<StoreFindings> {
  const { simulation, observed, expectAtPace } = await simulateAndExpect(description, profile);
  let counts: Counts = {};
  const omitted = observed.flatMap((contract, at) => {
    const first = expectationAt(expectAtPace(FIRST_PACE), at);
    counts = addCounts(counts, countOrders(first, contract));
    // An order that is omitted at all paces is omitted at the first one.
    if (listOmittedOrders([first], contract, description).length === 0) return [];
    const expected = PACES.map((pace) => expectationAt(expectAtPace(pace), at));
    return listOmittedOrders(expected, contract, description);
  });
  const violations = await listViolations(description, simulation);
  const faults = [...omitted, ...violations];
  return { faults, counts: { ...counts, ...countFaults(simulation, { omitted, violations }) } };
}

type Faults = { readonly omitted: readonly string[]; readonly violations: readonly string[] };

function countFaults({ emulated }: Simulation, { omitted, violations }: Faults): Counts {
  return {
    'double charges': listDoubleCharges(emulated).length,
    'unseen attempts of others': countUnseenAttempts(emulated),
    'forgotten orders': omitted.length,
    'woken contracts': emulated.countActivations(),
    violations: violations.length,
  };
}

/**
 * Finds the differences of the contracts that agree with no pace, and what must never happen.
 * In a storm faults may delay everything: then only the results count, and not those of the last day. `arrange` may do
 * more in the simulation, which the oracle does not know.
 */
export async function findDisagreements(
  description: Description,
  profile: RandomFaults,
  arrange?: (world: World) => void,
): Promise<StoreFindings> {
  const { simulation, observed, expectAtPace } = await simulateAndExpect(description, profile, arrange);
  const compared = { isLate: profile.isFaulty, untilMs: description.untilMs };
  let counts: Counts = {};
  const omitted: string[] = [];
  const disagreements = observed.flatMap((contract, at) => {
    let [fewest, closest] = [undefined as string[] | undefined, expectationAt(expectAtPace(FIRST_PACE), at)];
    for (const pace of PACES) {
      const expected = expectationAt(expectAtPace(pace), at);
      const differences = listDifferences(expected, contract, compared);
      if (fewest === undefined || differences.length < fewest.length)
        [fewest, closest] = [differences, expected];
      if (fewest.length === 0) break;
    }
    counts = addCounts(counts, countOrders(closest, contract));
    omitted.push(...listOmittedOrders([closest], contract, description));
    return (fewest ?? []).map((text) => `contract ${contract.id}: ${text}`);
  });
  const violations = await listViolations(description, simulation);
  const faultCounts = countFaults(simulation, { omitted, violations });
  return {
    faults: [...disagreements, ...violations],
    counts: { ...counts, ...faultCounts, disagreements: disagreements.length },
  };
}

async function simulateAndExpect(
  description: Description,
  profile: RandomFaults,
  arrange?: (world: World) => void,
) {
  const simulation = await simulate(description, profile, arrange);
  return {
    simulation,
    observed: await observe(simulation),
    expectAtPace: createExpectations(description),
  };
}

function expectationAt({ contracts }: Expectation, index: number): ContractExpectation {
  const expected = contracts[index];
  if (expected === undefined) throw new Error('A contract has no expectation.');
  return expected;
}

/** Returns the expectation of a pace. It is worked out when a contract needs it. */
function createExpectations(description: Description) {
  const byPace = new Map<Pace, Expectation>();
  return (pace: Pace): Expectation => {
    const known = byPace.get(pace) ?? expectCharges(description, pace.paceMs, pace.followUpDelayMs);
    byPace.set(pace, known);
    return known;
  };
}
