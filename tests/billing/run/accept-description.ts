/** Runs a description and compares it with the oracle at several paces: where windows overlap, each result is accepted. */
import type { Card, Description } from '../oracle/description.ts';
import { expectCharges } from '../oracle/expect-charges.ts';
import type { Expectation } from '../oracle/expectation.ts';
import { listDifferences, observe } from './compare.ts';
import type { FaultProfile } from './fault-profile.ts';
import { listViolations } from './list-violations.ts';
import { simulate } from './simulate.ts';

const MINUTE_MS = 60_000;
type Pace = { readonly paceMs: number; readonly giveUpDelayMs: number };

const PACES: readonly Pace[] = [0, 15].flatMap((giveUpMinutes) =>
  [1, 5, 15, 25, 45].map((minutes) => ({
    paceMs: minutes * MINUTE_MS,
    giveUpDelayMs: giveUpMinutes * MINUTE_MS,
  })),
);

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

/** Returns what must never happen, whatever breaks and whoever acts. */
export async function findViolations(description: Description, faults: FaultProfile): Promise<string[]> {
  return listViolations(description, await simulate(description, faults));
}

/**
 * Returns the differences of the contracts that agree with no pace, and what must never happen.
 * In a storm faults may delay everything: then only the results count, and not those of the last day.
 */
export async function findDisagreements(description: Description, faults: FaultProfile): Promise<string[]> {
  const simulation = await simulate(description, faults);
  const observed = await observe(simulation);
  const expectAtPace = createExpectations(description);
  const compared = { isLate: faults.isFaulty, untilMs: description.untilMs };
  const disagreements = observed.flatMap((contract, at) => {
    let fewest: string[] | undefined;
    for (const pace of PACES) {
      const expected = expectAtPace(pace).contracts[at];
      if (expected === undefined) throw new Error('A contract has no expectation.');
      const differences = listDifferences(expected, contract, compared);
      if (differences.length === 0) return [];
      if (fewest === undefined || differences.length < fewest.length) fewest = differences;
    }
    if (fewest === undefined) throw new Error('There is no pace.');
    return fewest.map((text) => `contract ${contract.id}: ${text}`);
  });
  return [...disagreements, ...(await listViolations(description, simulation))];
}

/** Returns the expectation of a pace. It is worked out when a contract needs it. */
function createExpectations(description: Description) {
  const byPace = new Map<Pace, Expectation>();
  return (pace: Pace): Expectation => {
    const known = byPace.get(pace) ?? expectCharges(description, pace.paceMs, pace.giveUpDelayMs);
    byPace.set(pace, known);
    return known;
  };
}
