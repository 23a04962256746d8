/** One turn of one endpoint: it gets what waits for it, several contracts side by side, until nothing is due. */
import { applyWishes } from './apply-wishes.ts';
import { attemptNext, holdQueued, tellOfDisabling } from './attempt-event.ts';
import {
  type DeliveryDeps,
  type DeliveryTurn,
  type EndpointRun,
  OutdatedError,
  openRun,
  type ServedEndpoint,
  saveHead,
} from './endpoint-run.ts';
import { heldUpContracts, nextLookAt, readyContracts, wantsMore } from './health.ts';
import { readAhead } from './read-ahead.ts';

/** A crash sends again what was accepted since the head was written: so much, or for so long. */
const MOST_UNSAVED = 100;
const SAVE_MS = 1000;
/** So long what was read counts of an address, a secret, or that it is sent to at all: a read for an endpoint and second. */
export const LOOK_MS = 1000;
/** Somebody else serves the endpoint: this worker looks again when that one's turn is over. */
const OUTDATED_MS = 30_000;

/**
 * Delivers until the turn ends or nothing is due. Returns when to look again (epoch milliseconds), undefined: when
 * something happens. TEMPORARILY_UNAVAILABLE: what was accepted may be sent again.
 */
export async function deliverToEndpoint(
  deps: DeliveryDeps,
  endpoint: ServedEndpoint,
  turn: DeliveryTurn,
): Promise<number | undefined> {
  const run = await openRun(deps, endpoint, turn);
  try {
    if (!(await enable(run))) return undefined;
    if (!(await applyWishes(run))) return deps.now();
    run.readTo = run.head.passed.cursor;
    await work(run);
    if (run.isChanged) return deps.now();
    return run.head.disabled === undefined ? nextLookAt(run) : undefined;
  } catch (error) {
    if (error instanceof OutdatedError) return deps.now() + OUTDATED_MS;
    throw error;
  }
}

/** Whether the endpoint is served. One that was changed or enabled again begins with a clean slate. */
async function enable(run: EndpointRun): Promise<boolean> {
  const { deps, head, endpoint } = run;
  if (head.disabled !== undefined) {
    if (!head.disabled.isTold) await tellOfDisabling(run, head.disabled);
    if (head.disabled.endpointVersion === endpoint.version) return false;
  }
  const isChanged =
    head.disabled !== undefined || (head.endpointVersion ?? endpoint.version) !== endpoint.version;
  head.endpointVersion = endpoint.version;
  if (!isChanged) return true;
  head.disabled = undefined;
  head.failingSinceMs = undefined;
  head.pausedUntilMs = undefined;
  head.recoveredAtMs = deps.now();
  head.changedAtMs = head.recoveredAtMs;
  run.unsaved++;
  return true;
}

async function work(run: EndpointRun): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    failures.push(error);
    run.isEnded = true;
  };
  const begin = (order: string, step: typeof attemptNext) => {
    run.busy.add(order);
    const stepping: Promise<void> = step(run, order)
      .catch(fail)
      .finally(() => {
        run.busy.delete(order);
        underWay.delete(stepping);
      });
    underWay.add(stepping);
  };
  for (;;) {
    if (isLookDue(run)) await lookAgain(run).catch(fail);
    if (mayBegin(run)) await beginAll(run, { begin, underWay }).catch(fail);
    if (underWay.size === 0) break;
    await Promise.race(underWay);
    if (isSaveDue(run)) await saveHead(run).catch(fail);
  }
  // What was accepted is true, whatever failed.
  if (run.unsaved > 0 && !failures.some((one) => one instanceof OutdatedError))
    await saveHead(run).catch(fail);
  if (failures.length > 0) throw failures[0];
}

type Beginning = {
  readonly begin: (order: string, step: typeof attemptNext) => void;
  readonly underWay: ReadonlySet<unknown>;
};

async function beginAll(run: EndpointRun, { begin, underWay }: Beginning): Promise<void> {
  if (wantsMore(run)) await readAhead(run);
  for (const order of heldUpContracts(run)) begin(order, holdQueued);
  const most = run.mostAtOnce - underWay.size;
  if (most > 0) for (const order of readyContracts(run, most)) begin(order, attemptNext);
}

/** Whoever switches an endpoint off, or changes its address or a leaked secret, means it at once, not after the turn. */
async function lookAgain(run: EndpointRun): Promise<void> {
  run.lookedAtMs = run.deps.now();
  if ((await run.deps.readVersion(run.endpoint)) === run.endpoint.version) return;
  run.isChanged = true;
  run.isEnded = true;
}

function isLookDue(run: EndpointRun): boolean {
  return mayBegin(run) && run.deps.now() - run.lookedAtMs >= LOOK_MS;
}

function mayBegin({ deps, turn, isEnded }: EndpointRun): boolean {
  return !isEnded && !turn.signal.aborted && deps.now() < turn.endAtMs;
}

function isSaveDue({ deps, unsaved, savedAtMs, isEnded }: EndpointRun): boolean {
  return !isEnded && (unsaved >= MOST_UNSAVED || (unsaved > 0 && deps.now() - savedAtMs >= SAVE_MS));
}
