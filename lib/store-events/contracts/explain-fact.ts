/**
 * One fact was this before and is that now. The service's own changes between the two explain it, as far as each began
 * where the one before it had ended; a step between them that none of them made was made elsewhere.
 */
import { isSameText } from '../../timeline/changed-fact.ts';
import type { EventNumber } from '../../timeline/event-number.ts';

/** What one change of the service's own did to the fact. */
export type Touch = {
  readonly number: EventNumber;
  readonly createdAtMs: number;
  /** `any`: it changed the fact as a consequence, to whatever it was then. */
  readonly made: 'any' | { readonly before: string | null; readonly after: string | null };
  /** Whether it was certainly made between the two readings. */
  readonly isSure: boolean;
  /** Whether it was begun between them: made or not, it tells what it found. */
  readonly isSince: boolean;
};

/** A step that somebody else made; `before`: ahead of that change of the service's own, undefined: after all of them. */
export type ForeignStep = {
  readonly ahead: EventNumber | undefined;
  readonly before: string | null;
  readonly after: string | null;
};

type Fact = { readonly field: string; readonly before: string | null; readonly after: string | null };

/** No request lives longer. Changes that were begun closer to each other may have been made in any order. */
const LIFE_MS = 30_000;

/** The steps that nobody of ours made, oldest first. `touches`: in the order of their numbers. */
export function explainFact(fact: Fact, touches: readonly Touch[]): ForeignStep[] {
  const isSame = (one: string | null, other: string | null) => isSameText(fact.field, one, other);
  const steps: ForeignStep[] = [];
  /** What it may have been by then, the likeliest last; `any`: nobody can tell. */
  let possible: 'any' | (string | null)[] = [fact.before];
  const step = (ahead: EventNumber | undefined, after: string | null) => {
    if (possible === 'any' || possible.some((one) => isSame(one, after))) return;
    steps.push({ ahead, before: possible.at(-1) ?? null, after });
    possible.push(after);
  };
  for (const cluster of clustersOf(touches)) {
    const ends = cluster.flatMap(({ made }) => (made === 'any' ? [] : [made.after]));
    for (const { number, made, isSince } of cluster) {
      if (made === 'any' || possible === 'any') {
        possible = 'any';
        continue;
      }
      // Of changes at the same time each may have begun where any other ended.
      const isExpected = cluster.length > 1 && ends.some((end) => isSame(end, made.before));
      // One that was perhaps made earlier says nothing of what it found.
      if (!isExpected && isSince) step(number, made.before);
      possible.push(made.after);
    }
    if (possible !== 'any' && cluster.every(({ isSure }) => isSure)) possible = ends;
  }
  step(undefined, fact.after);
  return steps;
}

/** Changes that may have been made at the same time. */
function clustersOf(touches: readonly Touch[]): Touch[][] {
  const clusters: Touch[][] = [];
  let lastMs = -Infinity;
  for (const touch of touches) {
    const cluster = clusters.at(-1);
    if (cluster !== undefined && touch.createdAtMs - lastMs < LIFE_MS) cluster.push(touch);
    else clusters.push([touch]);
    lastMs = touch.createdAtMs;
  }
  return clusters;
}
