import type { BillingCycle } from '../../../../lib/subscriptions/cycles/billing-cycle.ts';
import { cyclesFromNow } from '../cycles.ts';
import { COMMIT, changeDraft, mendByDraft, openDraft } from '../draft.ts';
import type { Lab } from '../lab.ts';
import { type Ask, payloadOf } from '../platform-answer.ts';
import { finding, type Step } from '../step.ts';
import {
  chosenContract,
  NO_CONTRACT,
  numberOf,
  type Policy,
  readTestContract,
  type TestContract,
} from '../test-contract.ts';
import { Unmeasurable } from '../unmeasurable.ts';

const UPDATE = `mutation FirstContactRhythm($draftId: ID!, $input: SubscriptionDraftInput!) {
  subscriptionDraftUpdate(draftId: $draftId, input: $input) { draft { id } userErrors { message code } }
}`;

export const rhythm: Step = {
  name: 'rhythm',
  claim:
    'A new interval leaves the current cycle its end and counts from there, or counts anew from its start.',
  does: 'Doubles the interval of a contract, its deliveries with it, reads its cycles before and after, and changes it back.',
  changes: {
    what: 'The contract’s interval for some seconds.',
    undone:
      'It is changed back. Dates of coming orders that the platform has moved by then stay where it puts them: the report tells.',
  },
  taken: 'Either of the two; after each change the cycles are read anew, and prices are set by the service.',
  see: [
    'lib/subscriptions/interval/put-edits-back.ts',
    'docs/decisions/0075-keep-skips-moves-and-a-chosen-date-when-the-interval-changes.md',
  ],
  obstacle: (lab) => (chosenContract(lab) === undefined ? `${NO_CONTRACT}.` : undefined),
  warning: (lab) =>
    `Contract ${numberOf(chosenContract(lab) ?? { id: '' })}: take one that nobody waits for.`,
  async measure(lab) {
    const contract = chosenContract(lab);
    if (contract === undefined) throw new Unmeasurable(NO_CONTRACT);
    const before = await undisturbed(lab, contract);
    await changeRhythm(lab, contract, before);
    const after = await cyclesFromNow(lab.ask, contract.id, lab.parts.now());
    const { lines } = await readTestContract(lab.ask, contract.id);
    const pricesOf = ({ nodes }: TestContract['lines']) =>
      nodes.map(({ currentPrice }) => currentPrice.amount).join(', ');
    const observed = [
      `contract ${numberOf(contract)}: from every ${rhythmWords(contract.billingPolicy)} to every ${rhythmWords(twice(contract.billingPolicy))}`,
      ...['before', 'after'].map(
        (when) => `${when}: ${(when === 'before' ? before : after).slice(0, 3).map(cycleWords).join('; ')}`,
      ),
      `prices of its lines: ${pricesOf(contract.lines)} before, ${pricesOf(lines)} after`,
    ];
    return { ...judge(before, after), observed };
  },
};

/** Edits of coming orders would be moved or lost. */
async function undisturbed(lab: Lab, { id }: TestContract): Promise<readonly BillingCycle[]> {
  const cycles = await cyclesFromNow(lab.ask, id, lab.parts.now());
  const edited = cycles.find((cycle) => cycle.edited || cycle.skipped);
  if (edited !== undefined)
    throw new Unmeasurable(
      `Cycle ${edited.cycleIndex} is skipped, moved or edited, and would lose that: take another contract.`,
    );
  if (cycles.length < 2) throw new Unmeasurable('The contract has no two cycles ahead.');
  return cycles;
}

async function changeRhythm(
  lab: Lab,
  contract: TestContract,
  before: readonly BillingCycle[],
): Promise<void> {
  const draftId = await openDraft(lab, contract.id);
  const { billingPolicy, deliveryPolicy } = contract;
  const input = { billingPolicy: twice(billingPolicy), deliveryPolicy: twice(deliveryPolicy) };
  await changeDraft(lab.alter, {
    name: 'subscriptionDraftUpdate',
    document: UPDATE,
    variables: { draftId, input },
  });
  const commit = await lab.change({
    document: COMMIT,
    variables: { draftId },
    what: `Contract ${numberOf(contract)} comes every ${rhythmWords(input.billingPolicy)} in place of every ${rhythmWords(billingPolicy)}.`,
    undo: async () => {
      await changeBack(lab.mend, contract);
      const [current] = await cyclesFromNow(lab.mend, contract.id, lab.parts.now());
      const isSame = current?.cycleEndAt === before[0]?.cycleEndAt;
      return isSame || current === undefined
        ? undefined
        : `Its orders did not come back with it: ${cycleWords(current)}.`;
    },
  });
  payloadOf(commit, 'subscriptionDraftCommit');
}

async function changeBack(mend: Ask, contract: TestContract): Promise<void> {
  const { id, billingPolicy, deliveryPolicy } = contract;
  const isBack = async () => {
    const now = await readTestContract(mend, id);
    return (
      JSON.stringify([now.billingPolicy, now.deliveryPolicy]) ===
      JSON.stringify([billingPolicy, deliveryPolicy])
    );
  };
  if (await isBack()) return;
  const variables = { input: { billingPolicy, deliveryPolicy } };
  await mendByDraft(mend, id, [{ name: 'subscriptionDraftUpdate', document: UPDATE, variables }]);
  if (!(await isBack())) throw new Unmeasurable('The contract still has another interval');
}

function twice<Kind extends Policy>(policy: Kind): Kind {
  return { ...policy, intervalCount: policy.intervalCount * 2 };
}

function rhythmWords({ interval, intervalCount }: Policy): string {
  return `${intervalCount} ${interval}`;
}

function cycleWords({ cycleIndex, cycleStartAt, cycleEndAt }: BillingCycle): string {
  return `cycle ${cycleIndex} ${cycleStartAt} to ${cycleEndAt}`;
}

function judge([current]: readonly BillingCycle[], after: readonly BillingCycle[]) {
  const now = after.find(({ cycleIndex }) => cycleIndex === current?.cycleIndex);
  if (current === undefined || now === undefined)
    return finding(false, 'The current cycle has another index.', []);
  if (now.cycleStartAt === current.cycleStartAt && now.cycleEndAt === current.cycleEndAt)
    return finding(true, 'The current cycle keeps its end; the new interval counts from there.', []);
  const isAnew = now.cycleStartAt === current.cycleStartAt && now.cycleEndAt > current.cycleEndAt;
  return isAnew
    ? finding(true, 'The current cycle is counted anew from its start.', [])
    : finding(false, 'The current cycle has other bounds, by neither of the two.', []);
}
