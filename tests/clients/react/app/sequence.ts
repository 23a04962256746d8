/**
 * Runs a sequence of taps, failures and refetches in the app, and compares what it displays in the end with what the
 * service has. Until its response arrives, a tap has to stay visible, whatever is read meanwhile.
 */
import type { Step, Tap } from '../steps.ts';
import type { View } from './app.tsx';

const OPERATIONS = {
  ...{ skip: 'SkipOrder', unskip: 'SkipOrder', updateLines: 'UpdateLines' },
  ...{ pause: 'Pause', resume: 'Resume' },
} as const;
const READS = ['SubscriptionDetails', 'UpcomingOrders', 'Subscriptions', 'SubscriptionEvents'];
const MAX_WAIT_MS = 60_000;
const SLOW_MS = 60;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function waitUntil(condition: () => boolean, complaint: string): Promise<void> {
  const endMs = Date.now() + MAX_WAIT_MS;
  while (!condition()) {
    if (Date.now() > endMs) throw new Error(`${complaint}: ${JSON.stringify(window.app.view)}`);
    await wait(5);
  }
}

function isIdle(): boolean {
  const { queryClient } = window.app;
  return queryClient.isFetching() === 0 && queryClient.isMutating() === 0;
}

/** A view has the data of a read only a moment after TanStack counts the read as finished. */
function isViewComplete({ detail, orders, list, events }: View): boolean {
  return [detail, orders, list, events].every((part) => part !== undefined);
}

/** What the sequence is about: read before its first step. */
type Subject = { readonly contractId: string; readonly cycles: readonly number[]; readonly lineId: string };

/** A tap on one part of the screen, and whether a view shows it. */
type Action = {
  readonly part: string;
  readonly isVisible: (view: View) => boolean;
  readonly run: () => Promise<unknown>;
};

function actionOf(tap: Tap, { cycles, lineId }: Subject): Action {
  const { changes } = window.app;
  if (tap.name === 'skip' || tap.name === 'unskip') {
    const cycleIndex = cycles[tap.order] ?? 0;
    const isSkip = tap.name === 'skip';
    return {
      part: `order ${cycleIndex}`,
      isVisible: ({ orders }) => orders?.find((order) => order.cycleIndex === cycleIndex)?.skipped === isSkip,
      run: () => changes[isSkip ? 'skip' : 'unskip'].mutateAsync({ cycleIndex }),
    };
  }
  if (tap.name === 'updateLines') {
    const { quantity } = tap;
    return {
      part: 'lines',
      isVisible: ({ detail }) => detail?.lines.nodes.find(({ id }) => id === lineId)?.quantity === quantity,
      run: () => changes.updateLines.mutateAsync({ update: [{ lineId, quantity }] }),
    };
  }
  const status = tap.name === 'pause' ? 'PAUSED' : 'ACTIVE';
  return {
    part: 'status',
    isVisible: ({ detail }) => detail?.status === status,
    run: () => changes[tap.name].mutateAsync(),
  };
}

/** The taps without a response. */
function createWatch() {
  const taps = new Map<string, Action>();
  const complaints: string[] = [];
  return {
    complaints,
    /** Runs a tap. Resolves when it is visible, or has ended before that. */
    async start(action: Action): Promise<{ readonly response: Promise<unknown> }> {
      taps.delete(action.part);
      let isOver = false;
      const response = action
        .run()
        .catch(() => undefined)
        .finally(() => {
          isOver = true;
          taps.delete(action.part);
        });
      await waitUntil(
        () => isOver || action.isVisible(window.app.view),
        `A tap on ${action.part} is invisible`,
      );
      if (!isOver) taps.set(action.part, action);
      return { response };
    },
    /** Called for each view, before the browser paints it. */
    check(view: View): void {
      for (const { part, isVisible } of taps.values())
        if (!isVisible(view)) complaints.push(`A tap on ${part} was undone before its response.`);
    },
  };
}

/** Returns what was wrong: taps that were undone too early, and differences from the service in the end. */
export async function runSequence(steps: readonly Step[]): Promise<string[]> {
  await waitUntil(() => isViewComplete(window.app.view) && isIdle(), 'The app did not start');
  const { detail, orders = [] } = window.app.view;
  const subject: Subject = {
    contractId: detail?.id ?? '',
    cycles: orders.map(({ cycleIndex }) => cycleIndex),
    lineId: detail?.lines.nodes[0]?.id ?? '',
  };
  const watch = createWatch();
  const pending: Promise<unknown>[] = [];
  window.onView = watch.check;
  for (const step of steps) pending.push((await runStep(step, { subject, watch })).response);
  await Promise.all(pending);
  await waitUntil(isIdle, 'The app did not come to rest');
  window.app.network.restore();
  return [...watch.complaints, ...(await compare(subject))];
}

type Running = { readonly subject: Subject; readonly watch: ReturnType<typeof createWatch> };

async function runStep(step: Step, { subject, watch }: Running): Promise<{ response: Promise<unknown> }> {
  const { changes, client, network, queryClient } = window.app;
  const { contractId, cycles } = subject;
  if (step.kind === 'tap') {
    if (step.fault) network.fail({ of: OPERATIONS[step.tap.name], kind: step.fault, delayMs: SLOW_MS });
    return watch.start(actionOf(step.tap, subject));
  }
  if (step.kind === 'reject')
    return { response: changes.skip.mutateAsync({ cycleIndex: 9_999 }).catch(() => undefined) };
  if (step.kind === 'otherTab') {
    const change = client.subscriptions[step.isSkip ? 'skip' : 'unskip'];
    const made = change({ contractId, cycleIndex: cycles[step.order] ?? 0 }).catch(() => undefined);
    return { response: made.then(() => queryClient.invalidateQueries()) };
  }
  if (step.kind === 'refetch') {
    for (const of of READS) network.fail({ of, kind: 'slow', delayMs: step.delayMs });
    void queryClient.invalidateQueries();
  }
  await wait(step.kind === 'wait' ? step.ms : 1);
  return { response: Promise.resolve() };
}

/** Reads everything again without the cache, and compares. */
async function compare({ contractId }: Subject): Promise<string[]> {
  const { subscriptions } = window.app.client;
  // TanStack notifies its observers a moment later.
  await wait(20);
  const { detail, orders, list, events } = window.app.view;
  const [service, upcoming, all, timeline] = await Promise.all([
    subscriptions.get({ contractId }),
    subscriptions.upcoming({ contractId }),
    subscriptions.list(),
    subscriptions.events({ contractId }),
  ]);
  const { storeTimeZone } = service;
  const pairs = {
    detail: [detail, service],
    orders: [orders, upcoming.nodes],
    list: [list, all.nodes.map((item) => ({ ...item, storeTimeZone }))],
    events: [events, timeline.nodes],
  };
  return Object.entries(pairs).flatMap(([name, [displayed, expected]]) =>
    toText(displayed) === toText(expected)
      ? []
      : [`${name}: ${toText(displayed)} is not ${toText(expected)}`],
  );
}

/** As JSON with sorted keys: a change lists the fields in another order than a read. */
const toText = (value: unknown): string =>
  JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
