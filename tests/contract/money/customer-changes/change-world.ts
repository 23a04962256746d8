/**
 * A random store of the emulated platform behind the service, with what its merchant gave, and customers who change
 * their subscriptions. Each request to the platform is compared with the state before it.
 */
import { outdateDrafts } from '../../../../sandbox/platform/admin/resolvers/contracts/contract-changes.ts';
import { findCycleAt } from '../../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS, HOUR_MS } from '../../../../sandbox/platform/state/instant.ts';
import { actorOf, store as harborStore } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { createStoreWorld } from '../../../world/store-world.ts';
import type { Acting, Outcome } from '../../world/operation-world.ts';
import { simulateSubscription } from '../money-ledger.ts';
import type { Change, Step } from './changes.ts';
import { createCodeUses } from './code-uses.ts';
import { type ContractMoney, contractMoney } from './contract-money.ts';
import { documentOf } from './documents.ts';
import { giveTo, type Store } from './gifts.ts';
import { moneyRules } from './money-rules.ts';
import { isPaidOn, isUndated, laterCycleEnds, overlapsDeliveries } from './paid-deliveries.ts';
import { createPayments } from './payments.ts';
import { OWNERS, planIdAt, seedStore } from './seed-store.ts';
import { unjustRefusals } from './unjust-refusals.ts';

/** The platform's mutation that changes a contract, for the injection of a fault. */
const CHANGES_BY: Readonly<Record<Change['request']['name'], string>> = {
  lines: 'subscriptionDraftCommit',
  interval: 'subscriptionDraftCommit',
  delivery: 'subscriptionDraftCommit',
  code: 'subscriptionDraftCommit',
  discount: 'subscriptionDraftCommit',
  pause: 'subscriptionContractPause',
  resume: 'subscriptionContractActivate',
  cancel: 'subscriptionContractCancel',
  skip: 'subscriptionBillingCycleScheduleEdit',
  move: 'subscriptionBillingCycleScheduleEdit',
};

/** Codes that no request returns, unless the connection broke. */
const FAILURES = new Set(['INTERNAL_ERROR', 'OUTCOME_UNKNOWN', 'PLATFORM_UNAVAILABLE', 'STORE_DISCONNECTED']);

export function createChangeWorld(drawn: Store) {
  const table = createMemoryTable();
  const world = createStoreWorld(table);
  const store = world.platform.store();
  const contracts = seedStore(store, drawn);
  const codeUses = createCodeUses(store, contracts);
  const payments = createPayments(store, codeUses);
  const planIds = drawn.plans.map((_plan, index) => planIdAt(index));
  const violations: string[] = [];
  const outcomes: { readonly name: string; readonly code: string }[] = [];
  /** Whether the requests under way act for a customer. */
  let isCustomer = true;

  const moneyOf = () => contracts.map(({ content }) => contractMoney(store, content));
  const { send } = world.platform;
  /** The state before the request in progress. */
  let before = moneyOf();
  async function sendAndCompare(...request: Parameters<typeof send>): ReturnType<typeof send> {
    before = moneyOf();
    codeUses.before();
    const answer = await send(...request);
    codeUses.after(isCustomer);
    if (isCustomer) compare();
    return answer;
  }
  let last: Promise<unknown> = Promise.resolve();
  /** Runs the requests sequentially, so that each change has its own earlier state. */
  world.platform.send = (...request) => {
    const answer = last.then(() => sendAndCompare(...request));
    last = answer.catch(() => undefined);
    return answer;
  };

  function compare(): void {
    for (const [index, after] of moneyOf().entries()) {
      const was = before[index];
      if (was === undefined) continue;
      for (const [name, rule] of Object.entries(moneyRules)) {
        violations.push(...rule(was, after).map((text) => `${name}: ${text}`));
      }
    }
  }

  /** `ticks`: the delay of each of its steps, compared with a concurrent request. */
  async function ask(change: Change, ticks?: number): Promise<void> {
    const index = change.subscription % contracts.length;
    const contract = contracts[index];
    if (contract === undefined) return;
    const { faults, asFunction } = world.process();
    faults.pause = async () => {
      for (let tick = 0; tick < (ticks ?? 0); tick++) await Promise.resolve();
    };
    if (change.fault !== 'none') world.fail(faultOf(change, contract));
    const target = {
      contract,
      otherContract: contracts[1 - index],
      nowMs: world.now(),
      cycle: findCycleAt(contract, world.now())?.index ?? 1,
      planIds,
    };
    const money = contractMoney(store, contract.content);
    const hasUsedCode = codeUses.hasUsed(contract);
    const overlaps = () => overlapsDeliveries(store, contract, world.now());
    const overlapped = overlaps();
    const endsBefore = laterCycleEnds(contract, world.now());
    const outcome = await world.run({
      as: change.as,
      actor: customerOf(change.as, OWNERS[change.isForeign ? 1 - index : index] ?? OWNERS[0]),
      ...documentOf(change.request, target, change.form),
      ...asFunction,
      now: world.now,
      wait: async (ms: number) => world.later(ms),
    });
    world.clearFaults();
    outcomes.push({ name: change.request.name, code: codeOf(outcome) });
    const isAlone = ticks === undefined && change.fault === 'none';
    const isCode = change.request.name === 'code';
    if (isAlone) violations.push(...unjustRefusals(outcome, { as: change.as, money, hasUsedCode, isCode }));
    if (isAlone && isUndated(change.request) && !overlapped && overlaps())
      violations.push('order: the next order comes before deliveries that are paid for');
    if (isAlone && change.as !== 'store' && isUndated(change.request) && isTied(money)) {
      const isAlike =
        contractMoney(store, contract.content).deliveriesPerPayment === money.deliveriesPerPayment;
      const ends = laterCycleEnds(contract, world.now());
      const isEarlier = ends.every((endMs, at) => endMs < (endsBefore[at] ?? 0) - HOUR_MS);
      if (isAlike && isEarlier)
        violations.push('order: what the store gives with each delivery comes earlier');
    }
    const isBroken = isAlone && FAILURES.has(codeOf(outcome));
    // The interval is changed, but no order can be on the date: docs/operations.md, subscriptionContractIntervalUpdate.
    const isPaid = codeOf(outcome) === 'OUTCOME_UNKNOWN' && isPaidOn(contract, change.request, target.nowMs);
    if (isBroken && !isPaid) violations.push(`failure: ${change.request.name} ended with ${codeOf(outcome)}`);
  }

  function faultOf({ fault, gift, request, isAtOpening }: Change, contract: ContractRecord) {
    const commit = CHANGES_BY[request.name];
    const at = isAtOpening && commit === 'subscriptionDraftCommit' ? 'subscriptionContractUpdate' : commit;
    const change = () => {
      if (gift === null) return;
      giveTo(contract, gift);
      // Another customer's request can be in progress: the gift is the merchant's.
      before = moneyOf();
    };
    return fault === 'stale'
      ? { kind: fault, at, change }
      : { kind: fault as 'lost after' | 'lost before', at };
  }

  async function wait(days: number): Promise<void> {
    const untilMs = world.now() + days * DAY_MS;
    for (const contract of contracts) {
      if (contract.content.status !== 'ACTIVE' || findCycleAt(contract, world.now()) === null) continue;
      const fromMs = world.now();
      await simulateSubscription(world.platform, {
        contractId: contract.id,
        untilMs,
        before: ({ index }) => payments.expect(contract, index),
      });
      payments.check(contract);
      world.platform.holder.nowMs = fromMs;
    }
    world.platform.holder.nowMs = untilMs;
  }

  async function run(step: Step): Promise<void> {
    if (step.kind === 'wait') return wait(step.days);
    if (step.kind === 'gift') {
      const contract = contracts[step.subscription % contracts.length];
      if (contract !== undefined) giveTo(contract, step.gift);
      return outdateDrafts(store, world.now());
    }
    const changes = step.kind === 'together' ? step.both : [step];
    isCustomer = changes.every(({ as }) => as !== 'store');
    const ticks = step.kind === 'together' ? step.ticks : undefined;
    await Promise.all(changes.map((change, index) => ask(change, ticks && index * ticks)));
  }

  return {
    run,
    contracts,
    outcomes,
    violations: () => [...violations, ...codeUses.violations, ...payments.violations],
  };
}

/** Whether the store gives something with each delivery, without an end. */
function isTied({ unlimitedAmounts, unlimitedGifts }: ContractMoney): boolean {
  return unlimitedAmounts > 0 || unlimitedGifts > 0;
}

/** The actor of a request, for this customer. */
function customerOf(as: Acting, customerId: number): ReturnType<typeof actorOf> {
  const actor = actorOf(as, harborStore);
  if (as === 'store') return actor;
  return { ...actor, [as === 'customer' ? 'customerId' : 'actingCustomerId']: customerId } as typeof actor;
}

/** The error of the request, else of its change; `done` without one. */
function codeOf({ payload, code }: Outcome): string {
  return code ?? payload?.userErrors?.[0]?.code ?? (payload === null ? 'refused' : 'done');
}
