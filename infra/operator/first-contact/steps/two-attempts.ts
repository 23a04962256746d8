import type { BillingCycle } from '../../../../lib/subscriptions/cycles/billing-cycle.ts';
import { ATTEMPT, attemptOutcome, type SeenAttempt } from '../../../../lib/timeline/seen-attempt.ts';
import { cycleOf, cyclesFromNow } from '../cycles.ts';
import type { Lab } from '../lab.ts';
import { type Ask, errorWords, type Payload, rootOf, userErrorWords } from '../platform-answer.ts';
import { builtFor, finding, type Step } from '../step.ts';
import {
  chosenContract,
  NO_CONTRACT,
  numberOf,
  orderPrice,
  readTestContract,
  type TestContract,
} from '../test-contract.ts';
import { Unmeasurable } from '../unmeasurable.ts';

const DAY_MS = 86_400_000;
const SOON_MS = 10 * 60_000;
const WAITS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 60_000, 60_000, 60_000];
const PAYLOAD = `{ subscriptionBillingAttempt { ${ATTEMPT} } userErrors { message code } }`;
const CHARGE = `mutation FirstContactCharge($id: ID!, $one: SubscriptionBillingAttemptInput!, $other: SubscriptionBillingAttemptInput!) {
  one: subscriptionBillingAttemptCreate(subscriptionContractId: $id, subscriptionBillingAttemptInput: $one) ${PAYLOAD}
  other: subscriptionBillingAttemptCreate(subscriptionContractId: $id, subscriptionBillingAttemptInput: $other) ${PAYLOAD}
}`;
const MOVE = `mutation FirstContactMove($input: SubscriptionBillingCycleInput!, $date: DateTime!) {
  subscriptionBillingCycleScheduleEdit(billingCycleInput: $input, input: { reason: DEV_INITIATED, billingDate: $date }) {
    billingCycle { cycleIndex } userErrors { message code }
  }
}`;
const OUTCOMES = `query FirstContactAttempts($id: ID!, $index: Int!) {
  subscriptionBillingCycle(billingCycleInput: { contractId: $id, selector: { index: $index } }) {
    status billingAttempts(first: 20, reverse: true) { nodes { ${ATTEMPT} } }
  }
}`;

export const twoAttempts: Step = {
  name: 'two-attempts',
  claim: 'While an attempt to bill a cycle is open, a second one with another key is refused.',
  does: 'Charges the current cycle of a contract twice in one request, with two idempotency keys, and waits until both have ended.',
  changes: {
    what: 'Charges the contract’s test payment once, or twice if the platform lets it; a cycle that is not due is moved to now before.',
    undone:
      'A charge cannot be undone: cancel and refund the order in the store’s admin. A move is put back if nothing was charged.',
  },
  taken:
    'Charges of a contract are held one after the other by a claim in the table; the platform’s refusal is a second line for charges that go past the service.',
  see: [
    'lib/subscriptions/charge/charge-claims.ts',
    'docs/decisions/0083-charge-an-order-once-and-wait-a-minute-after-a-decline.md',
  ],
  obstacle(lab) {
    const contract = chosenContract(lab);
    if (contract === undefined) return `${NO_CONTRACT}.`;
    if (lab.shop.isDevelopment || contract.originOrder?.test) return undefined;
    return 'It would charge real money: the store is no development store, and the contract was not bought with a test payment.';
  },
  warning(lab) {
    const contract = chosenContract(lab);
    return contract === undefined
      ? ''
      : `Contract ${numberOf(contract)} is charged about ${orderPrice(contract)} on the test gateway, twice at most.`;
  },
  async measure(lab) {
    const contract = chosenContract(lab);
    if (contract === undefined) throw new Unmeasurable(NO_CONTRACT);
    const [current] = await cyclesFromNow(lab.ask, contract.id, lab.parts.now());
    if (current === undefined || current.status === 'BILLED' || current.skipped)
      throw new Unmeasurable(
        'The current cycle is billed or skipped: take another contract, or wait for its next cycle.',
      );
    await makeDue(lab, { contract, cycle: current });
    const { one, other, errors } = await charge(lab, { contract, cycle: current });
    if (!one || one.userErrors.length > 0)
      throw new Unmeasurable(`The first charge is refused: ${one ? refusal(one) : errors}`);
    const ended = await awaitEnd(lab, { contract, cycle: current });
    const observed = [
      `contract ${numberOf(contract)}, cycle ${current.cycleIndex}`,
      `the second: ${other ? refusal(other) : errors}`,
      ...ended.map((attempt) => `attempt ${attempt.id}: ${outcomeWords(attempt)}`),
      `prices before ${pricesOf(contract)}, after ${pricesOf(await readTestContract(lab.ask, contract.id))}`,
    ];
    if (other && other.userErrors.length > 0) return finding(true, `${refusal(other)}`, observed);
    const outcomes = ended.map((attempt) => attemptOutcome(attempt).kind);
    if (outcomes.includes('pending'))
      return {
        verdict: 'not measured',
        words: 'Both were taken, and did not end within five minutes.',
        observed,
      };
    return outcomes.filter((kind) => kind === 'charged').length > 1
      ? finding(false, 'Both were taken, and the cycle was charged twice.', observed)
      : builtFor('Both were taken, and the cycle was charged once at most.', observed);
  },
};

type Charge = { readonly contract: TestContract; readonly cycle: BillingCycle };

/** The platform charges no earlier than a day before the order is due. */
async function makeDue(lab: Lab, { contract, cycle }: Charge): Promise<void> {
  const nowMs = lab.parts.now();
  const dueMs = Date.parse(cycle.billingAttemptExpectedDate);
  if (dueMs - nowMs < DAY_MS - SOON_MS) return;
  const number = numberOf(contract);
  const input = { contractId: contract.id, selector: { index: cycle.cycleIndex } };
  const date = new Date(nowMs + SOON_MS).toISOString();
  const { payloads, errors } = await lab.change({
    document: MOVE,
    variables: { input, date },
    what: `Cycle ${cycle.cycleIndex} of contract ${number} was moved from ${cycle.billingAttemptExpectedDate} to ${date}.`,
    undo: () => moveBack(lab.mend, { contract, cycle }),
  });
  const [refused] = payloads.subscriptionBillingCycleScheduleEdit?.userErrors ?? [];
  if (refused !== undefined) throw new Unmeasurable(`The order cannot be moved: ${userErrorWords(refused)}.`);
  if (!payloads.subscriptionBillingCycleScheduleEdit)
    throw new Unmeasurable(`The order cannot be moved: ${errorWords(errors)}`);
}

async function moveBack(mend: Ask, { contract, cycle }: Charge): Promise<string | undefined> {
  const now = await cycleOf(mend, contract.id, cycle.cycleIndex);
  const date = cycle.billingAttemptExpectedDate;
  if (now.status === 'BILLED') return 'It is billed, and stays there.';
  if (now.billingAttemptExpectedDate === date) return undefined;
  const input = { contractId: contract.id, selector: { index: cycle.cycleIndex } };
  const payload = rootOf<Payload>(await mend(MOVE, { input, date }), 'subscriptionBillingCycleScheduleEdit');
  const [refused] = payload.userErrors;
  if (refused !== undefined) throw new Unmeasurable(userErrorWords(refused));
  return undefined;
}

async function charge(lab: Lab, { contract, cycle }: Charge) {
  const keyOf = () => `first-contact-${Buffer.from(lab.parts.random(12)).toString('base64url')}`;
  const input = () => ({ billingCycleSelector: { index: cycle.cycleIndex }, idempotencyKey: keyOf() });
  const { payloads, errors } = await lab.change({
    document: CHARGE,
    variables: { id: contract.id, one: input(), other: input() },
    what: `Cycle ${cycle.cycleIndex} of contract ${numberOf(contract)} was charged about ${orderPrice(contract)}, twice at most, as a test payment: cancel the order in the store’s admin if it is in the way.`,
  });
  return { one: payloads.one, other: payloads.other, errors: errorWords(errors) };
}

async function awaitEnd(lab: Lab, { contract, cycle }: Charge): Promise<readonly SeenAttempt[]> {
  type Cycle = { readonly billingAttempts: { readonly nodes: readonly SeenAttempt[] } };
  let seen: readonly SeenAttempt[] = [];
  for (const waitMs of WAITS_MS) {
    await lab.pause(waitMs);
    const answer = await lab.ask(OUTCOMES, { id: contract.id, index: cycle.cycleIndex });
    const { nodes } = rootOf<Cycle>(answer, 'subscriptionBillingCycle').billingAttempts;
    seen = nodes.filter(({ idempotencyKey }) => idempotencyKey.startsWith('first-contact-'));
    if (seen.length > 0 && seen.every((attempt) => attemptOutcome(attempt).kind !== 'pending')) return seen;
  }
  return seen;
}

function outcomeWords(attempt: SeenAttempt): string {
  const outcome = attemptOutcome(attempt);
  return outcome.kind === 'declined' ? `declined, ${outcome.errorCode ?? 'no code'}` : outcome.kind;
}

function refusal({ userErrors: [first] }: Payload): string {
  return first === undefined ? 'taken.' : `${userErrorWords(first)}.`;
}

function pricesOf({ lines }: TestContract): string {
  return lines.nodes.map(({ currentPrice }) => currentPrice.amount).join(', ');
}
