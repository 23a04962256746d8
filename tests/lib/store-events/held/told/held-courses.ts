/** What others made of a fact between the service's own changes, and whether that is what is told. */
import type { matched } from './held-matching.ts';
import type { Made, Request, ToldStep } from './held-told.ts';

type Run = {
  /** From where it may have gone: of changes that were under way at once nobody knows which was last. */
  readonly starts: readonly string[];
  readonly values: readonly string[];
  /** How many of the values cannot have been overwritten unseen. */
  readonly least: number;
};

/** Clocks differ. */
const CLOCKS_MS = 1000;

/** The runs of changes by others. */
export function runsOf(
  history: readonly Made[],
  { hidden, joined, unnoticed }: Pick<ReturnType<typeof matched>, 'hidden' | 'joined' | 'unnoticed'>,
): Run[] {
  const runs: (Run & { values: string[]; least: number })[] = [];
  let run: (typeof runs)[number] | undefined;
  let last: Request | undefined;
  const requestOf = (made: Made) => (unnoticed.has(made) ? undefined : (made.during ?? joined.get(made)));
  const besides = (request: Request) =>
    history.flatMap((made) => {
      const other = requestOf(made);
      return other && areAtOnce(request, other) ? [made.after] : [];
    });
  for (const made of history) {
    const request = requestOf(made);
    if (request !== undefined) [run, last] = [undefined, request];
    else {
      if (run === undefined) {
        run = { starts: [...new Set([made.before, ...(last ? besides(last) : [])])], values: [], least: 0 };
        runs.push(run);
      }
      run.values.push(made.after);
      if (!hidden.has(made)) run.least = run.values.length;
    }
  }
  return runs;
}

function areAtOnce(one: Request, other: Request): boolean {
  return one.fromMs < other.toMs + CLOCKS_MS && other.fromMs < one.toMs + CLOCKS_MS;
}

/** Whether each run is told from its start to its end, by way of some of its values, and nothing else is told. */
export function explains([run, ...later]: readonly Run[], told: readonly ToldStep[]): boolean {
  if (run === undefined) return told.length === 0;
  return run.starts.some((start) =>
    lengthsOf({ run, at: start, place: 0 }, told).some((length) => explains(later, told.slice(length))),
  );
}

type Place = { readonly run: Run; readonly at: string; readonly place: number };

/** How many of the next steps may have told of a run's values from that place on. */
function lengthsOf({ run, at, place }: Place, told: readonly ToldStep[]): number[] {
  const { values, least } = run;
  const isEnd = place >= least || values.slice(Math.max(place, least - 1)).includes(at);
  const [next, ...others] = told;
  const more = values.flatMap((value, index) =>
    index >= place && value === next?.after && next.before === at
      ? lengthsOf({ run, at: value, place: index + 1 }, others).map((length) => length + 1)
      : [],
  );
  return [...new Set([...(isEnd ? [0] : []), ...more])];
}

export const textOf = ({ before, after }: Pick<ToldStep, 'before' | 'after'>) => `${before} → ${after}`;
