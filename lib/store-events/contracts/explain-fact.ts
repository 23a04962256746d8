/**
 * One fact was this before and is that now. The service's own changes between the two explain it in the course that takes
 * the fewest steps of somebody else: each change found the fact as somebody had left it, and made it what its entry says.
 */
import { factText, isSameText } from '../../timeline/changed-fact.ts';
import type { EventNumber } from '../../timeline/event-number.ts';

type Values = { readonly before: string | null; readonly after: string | null };

/** What one change of the service's own did to the fact. Times are epoch milliseconds. */
export type Touch = {
  readonly number: EventNumber;
  /** `any`: it changed the fact as a consequence, to whatever it was then. */
  readonly made: 'any' | Values;
  /** What it found was read between these two, and it was made between the second and the third. */
  readonly readAtMs: number;
  readonly createdAtMs: number;
  readonly endedAtMs: number;
  /** Whether it was certainly made between the two readings. */
  readonly isSure: boolean;
  /** Whether it began from what it read between them: made or not, it tells what it found. */
  readonly isSince: boolean;
};

/** A step that somebody else made; `before`: ahead of that change of the service's own, undefined: after all of them. */
export type ForeignStep = Values & { readonly ahead: EventNumber | undefined };

type Fact = Values & { readonly field: string };

/** A change found the fact, or made it. The order of two moments is known where their times do not overlap. */
type Moment = {
  readonly touch: Touch;
  readonly kind: 'found' | 'made';
  readonly earliestMs: number;
  readonly latestMs: number;
};

/** Whatever the fact is: nobody can tell. */
const ANY = Symbol('any');

/** What may have happened: which moments are over, what the fact is then, and what others did. */
type Course = {
  /** All moments before this one are over. */
  readonly next: number;
  /** Those behind it that are over, too. */
  readonly over: readonly number[];
  readonly value: string | null | typeof ANY;
  readonly steps: readonly ForeignStep[];
  readonly cost: number;
};

/** Fewest steps of others first; then what was perhaps made was made; then in the order in which changes were begun. */
const COSTS = { step: 1_000_000, notMade: 1_000, disorder: 1 };
/** The clocks of two containers differ less. */
const CLOCKS_DIFFER_MS = 1_000;
/** So many moments at once are put into any order, and so many courses are followed: no crowd takes long to explain. */
const REACH = 10;
const MOST_COURSES = 32;

/** The steps that nobody of ours made, oldest first. `touches`: in the order of their numbers. */
export function explainFact(fact: Fact, touches: readonly Touch[]): readonly ForeignStep[] {
  const moments = touches.flatMap(momentsOf);
  let courses: Course[] = [{ next: 0, over: [], value: fact.before, steps: [], cost: 0 }];
  for (let count = 0; count < moments.length; count++) {
    courses = likeliest(
      fact.field,
      courses.flatMap((course) => nextOf(course, moments, fact.field)),
    );
  }
  const ended = courses.map((course) => foundAs(course, fact.field, { ahead: undefined, text: fact.after }));
  return likeliest(fact.field, ended)[0]?.steps ?? [];
}

function momentsOf(touch: Touch): Moment[] {
  const { readAtMs, createdAtMs, endedAtMs } = touch;
  return [
    { touch, kind: 'found', earliestMs: readAtMs, latestMs: createdAtMs },
    { touch, kind: 'made', earliestMs: createdAtMs, latestMs: endedAtMs },
  ];
}

/** Of those that lead to the same the cheapest, the cheapest first. */
function likeliest(field: string, courses: readonly Course[]): Course[] {
  const best = new Map<string, Course>();
  for (const course of courses) {
    const { next, over, value } = course;
    const text = value === ANY ? value.toString() : JSON.stringify(factText(field, value));
    const state = `${next} ${over} ${text}`;
    if (course.cost < (best.get(state)?.cost ?? Infinity)) best.set(state, course);
  }
  return [...best.values()].sort((one, other) => one.cost - other.cost).slice(0, MOST_COURSES);
}

/** The course with one moment more, each that may be the next. */
function nextOf(course: Course, moments: readonly Moment[], field: string): Course[] {
  const { next, over } = course;
  const isOver = (index: number) => index < next || over.includes(index);
  const following: Course[] = [];
  let firstEndMs = Infinity;
  for (let index = next; index < Math.min(next + REACH, moments.length); index++) {
    const moment = moments[index];
    if (moment === undefined || isOver(index)) continue;
    const { kind, earliestMs, latestMs } = moment;
    const isReady = kind === 'found' || isOver(index - 1);
    if (isReady && firstEndMs + CLOCKS_DIFFER_MS >= earliestMs) {
      following.push(...happened(passed(course, index), moment, field));
    }
    firstEndMs = Math.min(firstEndMs, latestMs);
  }
  return following;
}

function passed({ next, over, cost, ...course }: Course, index: number): Course {
  const all = [...over, index].sort((one, other) => one - other);
  let first = next;
  while (all.includes(first)) first++;
  const disorder = COSTS.disorder * (index - next);
  return { ...course, next: first, over: all.filter((one) => one > first), cost: cost + disorder };
}

function happened(course: Course, { touch, kind }: Moment, field: string): Course[] {
  const { made, isSure, isSince, number } = touch;
  if (made === 'any') return [kind === 'found' ? course : { ...course, value: ANY }];
  // One that was perhaps made earlier says nothing of what it found.
  if (kind === 'found')
    return [isSince ? foundAs(course, field, { ahead: number, text: made.before }) : course];
  const isMade = { ...course, value: made.after };
  return isSure ? [isMade] : [isMade, { ...course, cost: course.cost + COSTS.notMade }];
}

/** Somebody saw the fact so. If it was something else, somebody else has changed it. */
function foundAs(
  course: Course,
  field: string,
  { ahead, text }: Pick<ForeignStep, 'ahead'> & { readonly text: string | null },
): Course {
  const { value, steps, cost } = course;
  if (value === ANY || isSameText(field, value, text)) return { ...course, value: text };
  const step = { ahead, before: value, after: text };
  return { ...course, value: text, steps: [...steps, step], cost: cost + COSTS.step };
}
