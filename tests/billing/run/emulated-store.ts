/**
 * A description of a store as a store of the emulated platform: its contracts, the bank's answers, and what customers, the
 * merchant and another server of the same app do.
 */

import { settleDueAttempts } from '../../../sandbox/platform/admin/endpoint/settle-due-attempts.ts';
import { replaceBankAnswer } from '../../../sandbox/platform/state/attempts/card-answers.ts';
import { createScheduleSegment, findCycleByIndex } from '../../../sandbox/platform/state/billing-cycles.ts';
import type {
  AttemptRecord,
  ContractContent,
  ContractRecord,
  LineRecord,
} from '../../../sandbox/platform/state/contract-records.ts';
import type { OutcomeStep, PaymentMethodRecord } from '../../../sandbox/platform/state/customer-records.ts';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import type { BehaviourSettings } from '../../../sandbox/platform/state/unpublished-behaviour.ts';
import { harbor, newPlatform, type Platform } from '../../sandbox/platform/admin/harness.ts';
import type {
  Answer,
  Card,
  ContractDescription,
  ContractEvent,
  Description,
  Line,
} from '../oracle/description.ts';
import { runContractEvent } from '../oracle/random/replay.ts';

const DAY_MS = 86_400_000;
const FIRST_CONTRACT_ID = 9_900_000;
const TEMPLATE_CONTRACT_ID = 9_101_001;
/** The keys of the other server's attempts. */
export const EXTERNAL_KEY = /^job-/;

export type Agenda = { add(atMs: number, act: () => void | Promise<void>): void };

/** A contract with the bank's answers that are left. */
type EmulatedContract = {
  readonly description: ContractDescription;
  readonly record: ContractRecord;
  card: Card;
  /** How many attempts the card has had. */
  attemptCount: number;
};

export type EmulatedStore = ReturnType<typeof createEmulatedStore>;

/** Creates the store. Its clock is `platform.holder.nowMs`; what happens later is put on the agenda. */
export function createEmulatedStore(
  description: Description,
  agenda: Agenda,
  behaviour: Partial<BehaviourSettings> = {},
) {
  const platform = newPlatform({ contracts: 0 });
  platform.holder.nowMs = description.fromMs;
  const state = platform.store();
  const template = state.contracts.get(TEMPLATE_CONTRACT_ID);
  if (template === undefined) throw new Error('The seed has no contract.');
  for (const id of [...state.contracts.keys()]) state.contracts.delete(id);
  const { earlyWithoutIndex = 'refused' } = description.store;
  state.unpublished = { ...state.unpublished, earlyWithoutIndex, editReach: 'none', ...behaviour };
  state.ianaTimezone = description.store.timeZone;
  state.currencyCode = description.store.currencyCode;
  state.presentmentCurrencies = description.contracts.map(({ currencyCode }) => currencyCode);
  const contracts = description.contracts.map((each): EmulatedContract => {
    const record = addContract(platform, template, each);
    return { description: each, record, card: each.card, attemptCount: 0 };
  });
  const byId = new Map(contracts.map((contract) => [contract.record.id, contract]));
  const seenAttempts = new Set<number>();
  let activationCount = 0;
  let seenUntil = '';

  for (const contract of contracts) {
    giveCard(contract, contract.card);
    for (const event of contract.description.events) {
      // A customer's request to try a payment again goes to the service.
      if (event.kind !== 'retry') agenda.add(event.atMs, () => applyEvent(contract, event));
    }
  }

  function giveCard(contract: EmulatedContract, card: Card): void {
    Object.assign(contract, { card, attemptCount: 0 });
    writeOutcomes(contract);
    const { expiresAtMs } = card;
    if (expiresAtMs !== undefined)
      agenda.add(Math.max(expiresAtMs, platform.holder.nowMs), () => {
        if (contract.card === card) writeOutcomes(contract);
      });
  }

  /** The steps that are left, after the times in which the platform refuses attempts of the service. */
  function writeOutcomes({ record, description: { refusals = [] }, card, attemptCount }: EmulatedContract) {
    const left = card.answers.slice(Math.min(attemptCount, card.answers.length - 1));
    const hasExpired = (card.expiresAtMs ?? Number.POSITIVE_INFINITY) <= platform.holder.nowMs;
    record.outcomes = [
      ...refusals.map(({ fromMs, untilMs, code }) => ({ answer: code, fromMs, untilMs })),
      ...left.map((answer, at) => toOutcomeStep(answer, { isLast: at === left.length - 1, hasExpired })),
    ];
  }

  /** An external attempt meets no refusal: these are answers to the service. */
  async function withoutRefusals<Result>(contract: EmulatedContract, act: () => Promise<Result>) {
    const { outcomes = [] } = contract.record;
    const { length } = contract.description.refusals ?? [];
    contract.record.outcomes = outcomes.slice(length);
    const result = await act();
    writeOutcomes(contract);
    return result;
  }

  async function applyEvent(contract: EmulatedContract, event: ContractEvent): Promise<void> {
    const { record } = contract;
    settle();
    if (event.kind === 'card') replaceCard(contract, event.card);
    else if (event.kind === 'address') changeAddress(record);
    else if (event.kind === 'price') changePrice(record, event.priceMinor);
    else if (event.kind === 'edit') editOrder(record, event);
    else if (event.kind === 'charge')
      await withoutRefusals(contract, () => runContractEvent(platform, record, event));
    else await runContractEvent(platform, record, event);
    noticeAttempts();
  }

  function replaceCard(contract: EmulatedContract, card: Card): void {
    const { record } = contract;
    giveCard(contract, card);
    const before = state.paymentMethods.get(record.content.paymentMethodId ?? '');
    if (before === undefined) return;
    const number = Number(before.id.replace(/^.*-/, '')) + 1;
    // Half of the customers give another card to the method, the others another method to the contract.
    if (record.id % 2 === 0) {
      const lastDigits = String(Math.floor(platform.holder.nowMs / 60_000)).slice(-4);
      if ('lastDigits' in before.instrument) before.instrument.lastDigits = lastDigits;
      state.paymentMethods.touch(before.id);
      return;
    }
    const method = { ...structuredClone(before), id: `card-${record.id}-${number}` };
    state.paymentMethods.set(method.id, method);
    record.content.paymentMethodId = method.id;
    revise(record);
  }

  function changeAddress(record: ContractRecord): void {
    const { deliveryMethod } = record.content;
    if (deliveryMethod?.kind === 'shipping')
      deliveryMethod.address.address1 = `${platform.holder.nowMs} Main Street`;
    revise(record);
  }

  function changePrice(record: ContractRecord, priceMinor: number): void {
    const [line] = record.content.lines;
    if (line !== undefined) line.currentPriceMinor = priceMinor;
    revise(record);
  }

  function editOrder(record: ContractRecord, edit: { readonly index: number; readonly totalMinor: number }) {
    const { content, billedCycles, cycleEdits } = record;
    const hasEnded = content.status === 'CANCELLED' || content.status === 'EXPIRED';
    const isOpen = state.attempts
      .ofContract(record.id)
      .some(({ cycleIndex, completedAt }) => cycleIndex === edit.index && completedAt === null);
    // The oracle knows the cycles until the end of the observed time alone.
    const cycle = findCycleByIndex(record, edit.index);
    const isBeyond = cycle === null || cycle.startMs > description.untilMs + 2 * DAY_MS;
    if (isBeyond || hasEnded || billedCycles.includes(edit.index) || isOpen) return;
    const now = formatIsoInstant(platform.holder.nowMs);
    const own = { ...structuredClone(content), deliveryPriceMinor: 0, discounts: [] };
    const [line] = own.lines;
    if (line === undefined) return;
    own.lines = [{ ...line, quantity: 1, currentPriceMinor: edit.totalMinor, pricingPolicy: null }];
    const contract = { content: own, createdAt: now, updatedAt: now, concatenated: [] };
    cycleEdits[edit.index] = { skipped: false, billingDate: null, ...cycleEdits[edit.index], contract };
    state.contracts.touch(record.id);
  }

  function revise(record: ContractRecord): void {
    record.revisionId += 1;
    record.updatedAt = formatIsoInstant(platform.holder.nowMs);
    state.contracts.touch(record.id);
  }

  /** Counts new attempts. The customer answers a challenge as the card says, or never. */
  function noticeAttempts(): void {
    for (const attempt of state.attempts.createdSince(seenUntil)) {
      const contract = byId.get(attempt.contractId);
      if (contract === undefined || seenAttempts.has(attempt.id)) continue;
      seenAttempts.add(attempt.id);
      seenUntil = attempt.createdAt;
      const { answers, expiresAtMs } = contract.card;
      const answer = answers[Math.min(contract.attemptCount, answers.length - 1)];
      contract.attemptCount += 1;
      writeOutcomes(contract);
      if (answer?.isChallenge !== true || answer.outcome === 'PENDING') continue;
      const isExpired = answer.outcome === 'PAYS' && (expiresAtMs ?? Infinity) <= platform.holder.nowMs;
      const outcome = isExpired ? 'EXPIRED_PAYMENT_METHOD' : answer.outcome;
      const endMs = Date.parse(attempt.createdAt) + answer.seconds * 1000;
      agenda.add(endMs, () => replaceBankAnswer(attempt, outcome, platform.holder.nowMs));
    }
  }

  /** Returns the number of the refused mutation of a document, if it sets a price that the platform refuses. */
  function refusedMutationOf(body: string): number | undefined {
    if (!body.includes('subscriptionDraftLineUpdate')) return undefined;
    const { variables = {} } = JSON.parse(body) as { readonly variables?: Record<string, unknown> };
    const draftIds = Object.values(variables).flatMap((value) =>
      typeof value === 'string' && value.includes('/SubscriptionDraft/')
        ? [Number(value.split('/').at(-1))]
        : [],
    );
    const isRefused = draftIds.some((id) => {
      const contractId = state.drafts.get(id)?.contractId;
      return byId.get(contractId ?? 0)?.description.refusesPrice === true;
    });
    return isRefused ? 1 : undefined;
  }

  /** Ends the attempts that are due, as a request does. */
  function settle(): void {
    settleDueAttempts(state, platform.holder.nowMs, { mails: [], origin: 'https://platform.example' });
  }

  return {
    ...{ platform, state, contracts, noticeAttempts, settle },
    /** Counts the requests of the service that activate a contract. */
    countActivations: () => activationCount,
    /** Sends a request of the service. */
    async send(body: string) {
      const refusedMutation = refusedMutationOf(body);
      if (body.includes('subscriptionContractActivate')) activationCount += 1;
      const answer = await platform.send(body, {
        shop: harbor,
        ...(refusedMutation && { refusedMutationNumber: refusedMutation }),
      });
      noticeAttempts();
      return answer;
    },
    /** Lists the attempts of a contract that the service has made. */
    attemptsOfService: (record: ContractRecord): readonly AttemptRecord[] =>
      state.attempts.ofContract(record.id).filter(({ idempotencyKey }) => !EXTERNAL_KEY.test(idempotencyKey)),
  };
}

/** Adds a contract with its card, its lines, and the orders that others have billed. */
function addContract(
  platform: Platform,
  template: ContractRecord,
  description: ContractDescription,
): ContractRecord {
  const state = platform.store();
  const { id: number, createdMs, policy, billedCount, status, maxCycles, lines } = description;
  const { hasEmptyCycle = false, ...frequency } = policy;
  const anchors = frequency.anchors.map((anchor) => ({ ...anchor, cutoffDay: null }));
  // The way in which a schedule with several anchors begins is fixed when it is created.
  const severalAnchors = hasEmptyCycle ? 'emptyCycle' : 'alternate';
  state.unpublished = { ...state.unpublished, severalAnchors };
  const id = FIRST_CONTRACT_ID + number;
  const startAt = formatIsoInstant(createdMs);
  const method = addMethod(platform, template, id);
  const content: ContractContent = {
    ...structuredClone(template.content),
    ...{
      status,
      paymentMethodId: method.id,
      currencyCode: description.currencyCode,
      deliveryPriceMinor: description.deliveryPriceMinor,
      discounts: [],
    },
    lines: lines.map((line, at) => createLine(template, line, `${id}-${at}`)),
  };
  content.billingPolicy = {
    ...content.billingPolicy,
    ...{ interval: frequency.interval, intervalCount: frequency.intervalCount, anchors, maxCycles },
  };
  content.deliveryPolicy = { ...content.deliveryPolicy, ...frequency, anchors };
  const record: ContractRecord = {
    ...structuredClone(template),
    ...{ id, createdAt: startAt, updatedAt: startAt, content, cycleEdits: {} },
    originOrderId: description.hasCheckoutOrder ? template.originOrderId : null,
    schedule: [createScheduleSegment(state, { fromIndex: 1, startAt, policy: { ...frequency, anchors } })],
    billedCycles: Array.from({ length: billedCount }, (_, at) => at + 1),
  };
  state.contracts.set(id, record);
  return record;
}

function addMethod(platform: Platform, template: ContractRecord, id: number): PaymentMethodRecord {
  const state = platform.store();
  const known = state.paymentMethods.get(template.content.paymentMethodId ?? '');
  if (known === undefined) throw new Error('The contract of the seed has no payment method.');
  const method = { ...structuredClone(known), id: `card-${id}-1` };
  if ('expiryYear' in method.instrument) method.instrument.expiryYear = 2050;
  state.paymentMethods.set(method.id, method);
  return method;
}

function createLine({ content: { lines } }: ContractRecord, line: Line, id: string): LineRecord {
  const [known] = lines;
  if (known === undefined) throw new Error('The contract of the seed has no line.');
  const { quantity, currentPriceMinor, steps } = line;
  const cycleDiscounts = steps.map(({ afterCycle, priceMinor }) => ({
    ...{ adjustmentType: 'PRICE' as const, adjustmentValue: priceMinor },
    ...{ afterCycle, computedPriceMinor: priceMinor },
  }));
  const pricingPolicy = { basePriceMinor: currentPriceMinor, cycleDiscounts };
  // Without a variant nothing is ever out of stock by itself.
  return { ...known, id, variantId: null, quantity, currentPriceMinor, pricingPolicy };
}

type StepTime = { readonly isLast: boolean; readonly hasExpired: boolean };

function toOutcomeStep(
  { outcome, seconds, isChallenge }: Answer,
  { isLast, hasExpired }: StepTime,
): OutcomeStep {
  const times = isLast ? {} : { count: 1 };
  if (isChallenge === true) return { answer: 'ACTION_REQUIRED', delaySeconds: 0, ...times };
  const answer = hasExpired && outcome === 'PAYS' ? 'EXPIRED_PAYMENT_METHOD' : outcome;
  return { answer, delaySeconds: seconds, ...times };
}
