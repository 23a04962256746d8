/** Divides the time of a run among several pieces of work. */

type TimeSharedRun = { readonly now: () => number; readonly endAtMs: number };

/**
 * Runs each piece in turn, with an equal share of the time that is left until `endAtMs` (epoch milliseconds). A piece
 * that used its whole share and made progress runs again in the next round, with the time that the others left. `run`
 * returns how much it has done.
 */
export async function runInTimeShares<Work>(
  { now, endAtMs }: TimeSharedRun,
  works: readonly Work[],
  run: (work: Work, endAtMs: number) => Promise<number>,
): Promise<void> {
  for (let worksOfRound = works; worksOfRound.length > 0 && now() < endAtMs; ) {
    const unfinishedWorks: Work[] = [];
    for (const [index, work] of worksOfRound.entries()) {
      const shareEndsAtMs = now() + (endAtMs - now()) / (worksOfRound.length - index);
      const doneCount = await run(work, shareEndsAtMs);
      if (doneCount > 0 && now() >= shareEndsAtMs) unfinishedWorks.push(work);
    }
    worksOfRound = unfinishedWorks;
  }
}
