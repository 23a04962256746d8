/**
 * A store was woken because webhooks left marks. Each family of topics has its work, which reads the platform's own state:
 * doubles, and any order, do no harm. A mark goes when its work is done; one that has to wait stays.
 */
import { batchesOf } from '../../domain/batches-of.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Mark, MarkFamily, Marks } from '../../storage/marks/marks.ts';
import type { Stores } from '../../storage/stores.ts';
import type { ReadRun } from '../contracts/look-at-contracts.ts';

/** Returns those whose work is done. */
export type MarkWork = {
  /** Marks that are worked on by one call. */
  readonly atOnce: number;
  /** Whether it is done for stores that are not installed, too. */
  readonly isForAll?: boolean;
  readonly work: (run: ReadRun, marks: readonly Mark[]) => Promise<readonly Mark[]>;
};

export type ActDeps = {
  readonly marks: Pick<Marks, 'list' | 'remove'>;
  readonly stores: Pick<Stores, 'find'>;
  /** A family without work keeps its marks. */
  readonly families: Readonly<Partial<Record<MarkFamily, MarkWork>>>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
};

type Turn = { readonly shopId: ShopId; readonly endAtMs: number; readonly signal: AbortSignal };

/** A store that waits is looked at again after this. */
const AGAIN_MS = 60_000;
/** The platform keeps these from us until somebody acts, who wakes the store, or the nightly pass looks. */
const LASTING: ReadonlySet<string> = new Set(['STORE_ACCESS_MISSING', 'STORE_DISCONNECTED']);

/** Works on a store's marks until `endAtMs`. Returns when to look again; undefined: nothing waits. TEMPORARILY_UNAVAILABLE. */
export async function actOnMarks(deps: ActDeps, turn: Turn): Promise<number | undefined> {
  const { shopId, endAtMs } = turn;
  const store = await deps.stores.find(shopId);
  if (store === undefined || store.status === 'purging') return undefined;
  const marks: Mark[] = [];
  for await (const mark of deps.marks.list(shopId)) marks.push(mark);
  let againAtMs: number | undefined;
  for (const [family, own] of Map.groupBy(marks, (mark) => mark.family)) {
    const work = deps.families[family];
    if (work === undefined || (store.status !== 'installed' && !work.isForAll)) continue;
    for (const some of batchesOf(own, work.atOnce)) {
      if (turn.signal.aborted || deps.now() >= endAtMs) return deps.now();
      const outcome = await workOnSome(deps, { store, endAtMs }, { work, marks: some });
      if (outcome !== 'done') againAtMs = deps.now() + AGAIN_MS;
      if (outcome === 'failed') break;
    }
  }
  return againAtMs;
}

type Some = { readonly work: MarkWork; readonly marks: readonly Mark[] };

/** What fails together is tried one by one: an object that the platform does not show keeps up no other. */
async function workOnSome(deps: ActDeps, run: ReadRun, { work, marks }: Some): Promise<Outcome> {
  const outcome = await workOn(deps, run, { work, marks });
  if (outcome !== 'failed' || marks.length === 1) return outcome;
  let isAny = false;
  for (const mark of marks) if ((await workOn(deps, run, { work, marks: [mark] })) !== 'failed') isAny = true;
  return isAny ? 'waits' : 'failed';
}

type Outcome = 'done' | 'waits' | 'failed';

async function workOn(deps: ActDeps, run: ReadRun, { work, marks }: Some): Promise<Outcome> {
  const { shopId } = run.store;
  try {
    const done = await work.work(run, marks);
    for (const mark of done) await deps.marks.remove(shopId, mark);
    return done.length === marks.length ? 'done' : 'waits';
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('marks cannot be worked on yet', { shopId, code: error.code, family: marks[0]?.family });
    // They stay: a store that is connected again is woken.
    return LASTING.has(error.code) ? 'done' : 'failed';
  }
}
