/** The same change requested by several clients at once: one entry reports it, and all clients learn that it is done. */
import { describe, expect, test } from '@jest/globals';
import type { EventRecord } from '../../../lib/timeline/event-record.ts';
import { findCycleAt, findCycleByIndex } from '../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { createStoreWorld, MINUTE_MS, WEEKLY } from '../../world/store-world.ts';
import { type Acting, gid } from '../world/operation-world.ts';

const ID = gid('SubscriptionContract', WEEKLY);
const ERRORS = '{ userErrors { code message } }';
const NAMED = `subscriptionContractId: "${ID}"`;
const OWN = `contractId: "${ID}"`;
const CYCLE = (index: number) => `billingCycleInput: { contractId: "${ID}", selector: { index: ${index} } }`;

type SentRequest = { readonly as: Acting; readonly text: string };
type Case = {
  readonly prepare?: (contract: ContractRecord) => void;
  /** Equivalent requests: the texts of the service's and of the platform's own mutations. */
  readonly texts: (contract: ContractRecord) => readonly string[];
  readonly action: string;
};

const after = (contract: ContractRecord) => (findCycleAt(contract, NOW_MS)?.index ?? 0) + 1;
const movedTo = (contract: ContractRecord) =>
  (findCycleByIndex(contract, after(contract))?.endMs ?? 0) - DAY_MS;
const withStatus = (status: ContractRecord['content']['status']) => (contract: ContractRecord) => {
  contract.content.status = status;
};
const own = (name: string, args: string) => `${name}(${args}) ${ERRORS}`;
/** The platform's own mutations have other types of errors. */
const forwarded = (name: string, args: string) => `${name}(${args}) { userErrors { message } }`;

const CASES: Readonly<Record<string, Case>> = {
  pause: {
    texts: () => [
      own('subscriptionContractPause', `${NAMED}, until: "${formatIsoInstant(NOW_MS + 9 * DAY_MS)}"`),
    ],
    action: 'subscription_paused',
  },
  resume: {
    prepare: withStatus('PAUSED'),
    texts: () => [own('subscriptionContractActivate', NAMED)],
    action: 'subscription_resumed',
  },
  'resume, some with a date': {
    prepare: withStatus('PAUSED'),
    texts: () => [
      own('subscriptionContractActivate', NAMED),
      own(
        'subscriptionContractActivate',
        `${NAMED}, nextBillingDate: "${formatIsoInstant(NOW_MS + 20 * DAY_MS)}"`,
      ),
    ],
    action: 'subscription_resumed',
  },
  cancel: {
    texts: () => [own('subscriptionContractCancel', NAMED)],
    action: 'subscription_cancelled',
  },
  skip: {
    texts: (contract) => [
      own('subscriptionBillingCycleSkip', `${OWN}, billingCycleIndex: ${after(contract)}`),
    ],
    action: 'billing_cycle_skipped',
  },
  'skip, some by the platform’s own mutation': {
    texts: (contract) => [
      own('subscriptionBillingCycleSkip', `${OWN}, billingCycleIndex: ${after(contract)}`),
      forwarded(
        'subscriptionBillingCycleScheduleEdit',
        `${CYCLE(after(contract))}, input: { skip: true, reason: MERCHANT_INITIATED }`,
      ),
    ],
    action: 'billing_cycle_skipped',
  },
  'restore, some by the platform’s own mutation': {
    prepare: (contract) => {
      contract.cycleEdits[after(contract)] = { skipped: true, billingDate: null, contract: null };
    },
    texts: (contract) => [
      own('subscriptionBillingCycleSkip', `${OWN}, billingCycleIndex: ${after(contract)}, skip: false`),
      forwarded('subscriptionBillingCycleUnskip', CYCLE(after(contract))),
    ],
    action: 'billing_cycle_unskipped',
  },
  'move, written in other time zones and by the platform’s own mutation': {
    texts: (contract) => {
      const utc = formatIsoInstant(movedTo(contract));
      const east = formatIsoInstant(movedTo(contract) + 2 * 3_600_000).replace('Z', '+02:00');
      const move = (date: string) =>
        own(
          'subscriptionBillingCycleReschedule',
          `${OWN}, billingCycleIndex: ${after(contract)}, billingDate: "${date}"`,
        );
      const edit = `input: { billingDate: "${east}", reason: MERCHANT_INITIATED }`;
      return [
        move(utc),
        move(east),
        forwarded('subscriptionBillingCycleScheduleEdit', `${CYCLE(after(contract))}, ${edit}`),
      ];
    },
    action: 'billing_cycle_rescheduled',
  },
  'mark as failed': {
    texts: () => [forwarded('subscriptionContractFail', NAMED)],
    action: 'subscription_failed',
  },
  'set the next date': {
    texts: () => [
      forwarded(
        'subscriptionContractSetNextBillingDate',
        `${OWN}, date: "${formatIsoInstant(NOW_MS + 20 * DAY_MS)}"`,
      ),
    ],
    action: 'subscription_next_billing_date_updated',
  },
};

const EVERYBODY: readonly Acting[] = ['customer', 'store', 'store for a customer'];
const SERVICE_MUTATION =
  /subscription(?:Contract(?:Pause|Activate|Cancel)|BillingCycle(?:Skip|Reschedule|Charge))\(/;

/** Returns many requests: each text for each actor who may send it. */
function crowd(texts: readonly string[], size: number): SentRequest[] {
  const all = texts.flatMap((text) =>
    EVERYBODY.filter((as) => as !== 'customer' || SERVICE_MUTATION.test(text)).map((as) => ({ as, text })),
  );
  return Array.from({ length: size }, (_, index) => all[index % all.length] as SentRequest);
}

function begin({ prepare }: Pick<Case, 'prepare'>) {
  const world = createStoreWorld(createMemoryTable());
  const contract = world.contract(WEEKLY);
  prepare?.(contract);
  /** `ticks`: the delay of each request's steps. */
  async function ask({ as, text }: SentRequest, ticks = 0) {
    const { asFunction, faults } = world.process();
    faults.pause = async () => {
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    };
    return world.run({ as, query: `mutation { ${text} }`, ...asFunction, now: world.now });
  }
  return { world, contract, entries: world.entries, ask };
}

describe.each(Object.entries(CASES))('%s', (_name, one) => {
  test.each([2, 8])('reports one change of %d concurrent requests, and answers all of them', async (size) => {
    for (const step of [0, 7]) {
      const { world, contract, entries, ask } = begin(one);
      const pending = crowd(one.texts(contract), size);
      const answers = await Promise.all(pending.map((each, index) => ask(each, index * step)));
      for (const { code, payload } of answers) {
        expect({ code, payload }).toMatchObject({ code: undefined, payload: { userErrors: [] } });
      }
      // Changes at the same time wait for what is read after them, five minutes at most.
      world.later(6 * MINUTE_MS);
      await world.place();
      expectOneReport(await entries(), one.action);
    }
  });

  test('reports one change when a response is lost, at the latest when it is settled', async () => {
    for (const size of [2, 4]) {
      const { world, contract, entries, ask } = begin(one);
      const pending = crowd(one.texts(contract), size);
      for (const { text } of pending) {
        for (const root of rootsOf(text)) world.fail({ kind: 'lost after', at: root });
      }
      await Promise.all(pending.map((each) => ask(each)));
      world.clearFaults();
      world.later(3 * MINUTE_MS);
      await world.work();
      world.later(6 * MINUTE_MS);
      await world.place();
      expectOneReport(await entries(), one.action);
    }
  });
});

/** The entries of the other requests have no changes, so events do not report them. */
function expectOneReport(entries: readonly Pick<EventRecord, 'action' | 'changes'>[], action: string): void {
  const reporting = entries.filter(({ changes }) => changes.length > 0);
  expect(reporting.filter((entry) => entry.action === action)).toHaveLength(1);
  const fields = entries.flatMap(({ changes }) => changes.map(({ field }) => field));
  expect(fields).toEqual([...new Set(fields)]);
}

/** The platform's mutations that the text can come to. */
function rootsOf(text: string): string[] {
  const [name = ''] = text.split('(');
  if (/BillingCycle/.test(name)) return ['subscriptionBillingCycleScheduleEdit', name];
  return /nextBillingDate:/.test(text) ? ['subscriptionDraftCommit'] : [name];
}

holdsRights();
