/** A contract of a history at the emulated platform, the requests about its orders, the merchant's job and the clock. */
import { expect } from '@jest/globals';
import { countDocumentPoints } from '../../../graphql/run/count-document-points.ts';
import type { TimeZone } from '../../../lib/domain/time-zone.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import {
  type BillingCycle,
  findCycleAt,
  listCyclesBetween,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import type { PlanRequest } from '../../graphql/world/harness.ts';
import type { Setup } from './history-commands.ts';
import { createPostponementWorld, ID } from './postponement-world.ts';

const PLATFORM_ID = ID.replace('platform', 'shopify');
const HOUR_MS = 3_600_000;
/** The merchant's job looks back this far. */
const JOB_MS = 3 * DAY_MS;
const CYCLES = 90;

const ERRORS = 'userErrors { code message details { cycleIndex date earliest latest } }';
const ANSWER = `contract { status nextOrder { date cycleIndex } postponement { laidUntil revertableUntil } } ${ERRORS}`;
const UPCOMING = 'upcomingOrders { cycleIndex date skipped }';

/** What a postponement, or its revert, costs at most: the bound of docs/operations.md. */
const MAX_POINTS = 220;
/** The points of all documents but the read of what the client selects. */
/** The orders are read once more when many of them are skipped. */
const maxPointsOf = (documents: readonly string[]) =>
  documents.filter((document) => document.includes('_svcOrders')).length > 1 ? MAX_POINTS + 40 : MAX_POINTS;

const pointsOfOrders = (documents: readonly string[]) =>
  documents
    .filter((document) => /_svcOrders|subscriptionBillingCycleScheduleEdit/.test(document))
    .reduce((sum, document) => sum + countDocumentPoints(document, {}), 0);

export type Payload = {
  readonly contract?: {
    readonly status: string;
    readonly nextOrder: { readonly date: string; readonly cycleIndex: number } | null;
    readonly postponement: { readonly laidUntil: string } | null;
  } | null;
  readonly upcomingOrders?: readonly { cycleIndex: number; date: string; skipped: boolean }[] | null;
  readonly droppedEdits?: readonly { readonly skipped: boolean; readonly originalDate: string | null }[];
  readonly userErrors: readonly { readonly code: string }[];
};

export function createHistoryWorld({ createdMs, ageMs, interval, timeZone, rescheduling, ways }: Setup) {
  const world = createPostponementWorld({ timeZone, sendNow: 'MOVE' });
  const { contract, now, later } = world;
  const shop = world.platform.store();
  const throttle = { maximumAvailable: 1_000_000, restoreRate: 1_000_000 };
  Object.assign(shop, { ianaTimezone: timeZone, rescheduling, throttle });
  Object.assign(shop.unpublished, ways);
  const policy = { ...interval, anchors: [] };
  contract.createdAt = formatIsoInstant(createdMs);
  contract.schedule = [{ fromIndex: 1, startAt: contract.createdAt, policy }];
  contract.content.billingPolicy = { ...contract.content.billingPolicy, ...policy };
  contract.content.deliveryPolicy = { ...contract.content.deliveryPolicy, ...policy };
  later(createdMs + ageMs - now());
  const first = findCycleAt(contract, now())?.index ?? 1;
  contract.billedCycles = Array.from({ length: first - 1 }, (_, index) => index + 1);

  /** The cycles from the one of the beginning on. */
  const cycles = (): BillingCycle[] =>
    listCyclesBetween(contract, first, (findCycleAt(contract, now())?.index ?? first) + CYCLES);
  const isDue = ({ skipped, billed, expectedMs }: BillingCycle) =>
    !skipped && !billed && expectedMs <= now() && expectedMs > now() - JOB_MS;

  const isOpen = ({ skipped, billed }: BillingCycle) => !skipped && !billed;
  /** The cycles that have not ended. */
  const running = () => cycles().filter(({ endMs }) => endMs >= now());
  /** An order whose date has passed is not the next one. */
  const nextOrder = () => running().find((one) => isOpen(one) && one.expectedMs >= now());
  const ahead = () => running().filter((one) => isOpen(one) && one.expectedMs > now());
  /** When an order of this date can come at the earliest: in no paid cycle. Undefined if that is no future date. */
  const earliestMs = ({ expectedMs: ms }: BillingCycle): number | undefined => {
    if (ms <= now() || ms >= now() + 365 * DAY_MS) return undefined;
    const isPaid = cycles().some(({ billed, startMs, endMs }) => billed && startMs <= ms && ms <= endMs);
    return isPaid ? cycles().find(({ billed, startMs }) => !billed && startMs > ms)?.startMs : ms;
  };
  const instantIn = ({ startMs: fromMs, endMs }: BillingCycle, at: number) => {
    const firstMs = Math.max(fromMs, now() + 6 * 60_000);
    return formatIsoInstant(Math.floor((firstMs + at * Math.max(endMs - firstMs, 0)) / 1000) * 1000);
  };

  async function ask(
    mutation: string,
    answer = ANSWER,
    as: PlanRequest['as'] = 'customer',
  ): Promise<Payload> {
    const { payload, code, documents } = await world.send(as, `mutation { ${mutation} { ${answer} } }`);
    if (code !== undefined) throw new Error(`${code}: ${mutation}`);
    if (mutation.startsWith('subscriptionOrderPostpone'))
      expect(pointsOfOrders(documents)).toBeLessThanOrEqual(maxPointsOf(documents));
    return payload;
  }

  /** Runs another app's mutation at the platform. Returns whether it was accepted. */
  async function askPlatform(mutation: string): Promise<boolean> {
    const payload = await world.platform.run(`{ ${mutation} { userErrors { message } } }`);
    return payload.userErrors.length === 0;
  }

  const ON = `contractId: "${ID}"`;
  const cycleInput = (index: number) =>
    `billingCycleInput: { contractId: "${PLATFORM_ID}", selector: { index: ${index} } }`;
  const scheduleEdit = (index: number, input: string) =>
    askPlatform(
      `subscriptionBillingCycleScheduleEdit(${cycleInput(index)}, input: { reason: MERCHANT_INITIATED, ${input} })`,
    );

  /** As the nightly reconciliation does where the service bills. */
  function setNextBillingDate(): void {
    const next = nextOrder();
    if (contract.content.status === 'ACTIVE' && next !== undefined)
      contract.content.nextBillingDate = formatIsoInstant(next.expectedMs);
  }

  /** The merchant's job charges the orders that are due. */
  async function runJob(): Promise<void> {
    for (const { index } of cycles().filter(isDue)) {
      const charge = `subscriptionBillingCycleCharge(subscriptionContractId: "${ID}", billingCycleSelector: { index: ${index} })`;
      await ask(charge, 'subscriptionBillingAttempt { id } userErrors { code }', 'store');
      // A second charge of the contract within one millisecond counts as concurrent.
      later(1_000);
    }
    // The platform settles attempts at the next request.
    await world.platform.data(`{ subscriptionContract(id: "${PLATFORM_ID}") { id } }`);
  }

  /** Returns the time of the next order or scheduled task. */
  async function nextEventMs(untilMs: number): Promise<number> {
    const scheduledTasks = createScheduledTaskRepository({ table: world.table, now });
    const times = [untilMs];
    for (const kind of ['postponement', 'pause'] as const) {
      for await (const { dueAtMs } of scheduledTasks.listDue(kind, untilMs)) times.push(dueAtMs + 1_000);
    }
    const orders = cycles().filter(({ skipped, billed, expectedMs }) => {
      return !skipped && !billed && expectedMs > now() - DAY_MS && expectedMs <= untilMs;
    });
    for (const { expectedMs } of orders) times.push(expectedMs + HOUR_MS, expectedMs + DAY_MS);
    return Math.min(...times.filter((ms) => ms > now()), untilMs);
  }

  return {
    ...world,
    timeZone: timeZone as TimeZone,
    first,
    cycles,
    ...{ running, nextOrder, ahead, instantIn, earliestMs },
    later,
    postpone: (date: string, to: string, dryRun: boolean) =>
      ask(
        `subscriptionOrderPostpone(${ON}, expectedDate: "${date}", to: "${to}", dryRun: ${dryRun})`,
        `${UPCOMING} ${ANSWER}`,
      ),
    /** Whether the contract shows a date until which the latest postponement can be reverted. */
    async isRevertOffered(): Promise<boolean> {
      const query = `{ subscriptionContract(id: "${ID}") { postponement { revertableUntil } } }`;
      const { payload } = await world.send('customer', query);
      return typeof payload.postponement?.revertableUntil === 'string';
    },
    /** The dates that a list shows for the orders of the coming year, by cycle. */
    async visibleDates(): Promise<ReadonlyMap<number, string | null>> {
      const query = `{ subscriptionContractDetails(contractId: "${ID}") { billingCycles(first: 60) { nodes { cycleIndex orderDate } } } }`;
      const { payload } = await world.send('store', query);
      const nodes = payload.billingCycles.nodes as { cycleIndex: number; orderDate: string | null }[];
      return new Map(nodes.map(({ cycleIndex, orderDate }) => [cycleIndex, orderDate]));
    },
    revert: () => ask(`subscriptionOrderPostponementRevert(${ON})`, `${UPCOMING} ${ANSWER}`),
    sendNow: (date: string) =>
      ask(`subscriptionOrderSendNow(${ON}, expectedDate: "${date}")`, `${UPCOMING} ${ANSWER}`),
    skip: (index: number, skip: boolean) =>
      ask(`subscriptionBillingCycleSkip(${ON}, billingCycleIndex: ${index}, skip: ${skip})`, ERRORS),
    move: (index: number, date: string) =>
      ask(
        `subscriptionBillingCycleReschedule(${ON}, billingCycleIndex: ${index}, billingDate: "${date}")`,
        ERRORS,
      ),
    pause: (until: string | undefined) =>
      ask(`subscriptionContractPause(subscriptionContractId: "${ID}"${until ? `, until: "${until}"` : ''})`),
    resume: (date: string | undefined) =>
      ask(
        `subscriptionContractActivate(subscriptionContractId: "${ID}"${date ? `, nextBillingDate: "${date}"` : ''})`,
      ),
    changeInterval: (input: Setup['interval'], date: string | undefined) =>
      ask(
        `subscriptionContractIntervalUpdate(${ON}, interval: { interval: ${input.interval}, intervalCount: ${input.intervalCount} }${date ? `, nextBillingDate: "${date}"` : ''})`,
        `droppedEdits { skipped originalDate } ${ANSWER}`,
        'store',
      ),
    otherApp: {
      skip: (index: number, skip: boolean) => scheduleEdit(index, `skip: ${skip}`),
      move: (index: number, date: string) => scheduleEdit(index, `billingDate: "${date}"`),
      remove: (index: number) => askPlatform(`subscriptionBillingCycleEditDelete(${cycleInput(index)})`),
      removeAll: () =>
        askPlatform(
          `subscriptionBillingCycleEditsDelete(contractId: "${PLATFORM_ID}", targetSelection: ALL)`,
        ),
    },
    /** The bank declines all further charges, or pays. */
    setBank(declines: boolean): void {
      for (const { instrument } of shop.paymentMethods.values())
        instrument.declines = declines ? 'INSUFFICIENT_FUNDS' : null;
    },
    /**
     * Advances the clock. The merchant's job runs after each order; `isWorking`: the scheduled work and the nightly
     * reconciliation of a store that the service bills run, too.
     */
    async wait(ms: number, isWorking: boolean, check: () => Promise<void>): Promise<void> {
      const untilMs = now() + ms;
      while (now() < untilMs) {
        later((await nextEventMs(untilMs)) - now());
        await runJob();
        if (isWorking) {
          await world.runWork();
          setNextBillingDate();
        }
        await check();
      }
    },
  };
}
