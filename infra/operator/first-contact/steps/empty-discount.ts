import { COMMIT, changeDraft, leaveDraft, mendByDraft, openDraft } from '../draft.ts';
import type { Lab } from '../lab.ts';
import { type Ask, payloadOf, rootOf, userErrorWords } from '../platform-answer.ts';
import { builtFor, finding, type Step } from '../step.ts';
import { chosenContract, NO_CONTRACT, numberOf, type TestContract } from '../test-contract.ts';
import { Unmeasurable } from '../unmeasurable.ts';

const TITLE = 'First contact: without lines';
const ERRORS = 'userErrors { message code }';
const ADD_LINE = `mutation FirstContactLine($draftId: ID!, $input: SubscriptionLineInput!) {
  subscriptionDraftLineAdd(draftId: $draftId, input: $input) { lineAdded { id } ${ERRORS} }
}`;
const ADD_DISCOUNT = `mutation FirstContactDiscount($draftId: ID!, $input: SubscriptionManualDiscountInput!) {
  subscriptionDraftDiscountAdd(draftId: $draftId, input: $input) { discountAdded { id } ${ERRORS} }
}`;
const REMOVE_LINE = `mutation FirstContactLineRemove($draftId: ID!, $lineId: ID!) {
  subscriptionDraftLineRemove(draftId: $draftId, lineId: $lineId) { draft { discounts(first: 50) { nodes { ... on SubscriptionManualDiscount { id } } } } ${ERRORS} }
}`;
const REMOVE_DISCOUNT = `mutation FirstContactDiscountRemove($draftId: ID!, $discountId: ID!) {
  subscriptionDraftDiscountRemove(draftId: $draftId, discountId: $discountId) { ${ERRORS} }
}`;
const DISCOUNTS = `query FirstContactDiscounts($id: ID!) {
  subscriptionContract(id: $id) { discounts(first: 50) { nodes { id title } } }
}`;

export const emptyDiscount: Step = {
  name: 'empty-discount',
  claim: 'A commit is refused if a discount made by hand is left without a line.',
  does: 'Adds to a draft of a contract a line, and 1 % off that line by hand; removes the line, and commits the draft.',
  changes: {
    what: 'If the platform refuses, nothing. If it does not, the contract has a discount for no line.',
    undone: 'That discount is removed with another draft.',
  },
  taken: 'Whoever removes the last line of such a discount has it removed in the same draft.',
  see: [
    'lib/subscriptions/lines/remove-emptied.ts',
    'docs/decisions/0070-start-a-draft-again-when-the-contract-has-changed.md',
  ],
  obstacle: (lab) => (chosenContract(lab, hasVariant) === undefined ? `${NO_CONTRACT}.` : undefined),
  warning: (lab) =>
    `Contract ${numberOf(chosenContract(lab, hasVariant) ?? { id: '' })} is changed if it is not refused.`,
  async measure(lab) {
    const contract = chosenContract(lab, hasVariant);
    if (contract === undefined) throw new Unmeasurable(NO_CONTRACT);
    const draftId = await openDraft(lab, contract.id);
    const { isLeft, kept } = await emptyDiscountIn(lab, { draftId, contract });
    const observed = [
      `contract ${numberOf(contract)}`,
      `discounts in the draft when its line was gone: ${kept}`,
    ];
    if (!isLeft) leaveDraft(lab);
    if (!isLeft) return builtFor('The platform removes the discount with its line.', observed);
    const changed = await lab.change({
      document: COMMIT,
      variables: { draftId },
      what: `Contract ${numberOf(contract)} has a discount named “${TITLE}” for no line.`,
      undo: () => removeDiscounts(lab.mend, contract.id),
    });
    const [refused] = changed.payloads.subscriptionDraftCommit?.userErrors ?? [];
    if (refused !== undefined) leaveDraft(lab);
    if (refused !== undefined) return finding(true, `${userErrorWords(refused)}.`, observed);
    payloadOf(changed, 'subscriptionDraftCommit');
    return builtFor('It is committed.', observed);
  },
};

function hasVariant({ lines }: TestContract): boolean {
  return lines.nodes.some(({ variantId }) => variantId !== null);
}

type Drafted = { readonly draftId: string; readonly contract: TestContract };

async function emptyDiscountIn(lab: Lab, { draftId, contract }: Drafted) {
  const variant = contract.lines.nodes.find(({ variantId }) => variantId !== null);
  const line = {
    productVariantId: variant?.variantId,
    quantity: 1,
    currentPrice: variant?.currentPrice.amount,
  };
  const { lineAdded } = await changeDraft(lab.alter, {
    name: 'subscriptionDraftLineAdd',
    document: ADD_LINE,
    variables: { draftId, input: line },
  });
  const lineId = (lineAdded as { readonly id: string }).id;
  const discount = { title: TITLE, value: { percentage: 1 }, entitledLines: { lines: { add: [lineId] } } };
  const { discountAdded } = await changeDraft(lab.alter, {
    name: 'subscriptionDraftDiscountAdd',
    document: ADD_DISCOUNT,
    variables: { draftId, input: discount },
  });
  const { draft } = await changeDraft(lab.alter, {
    name: 'subscriptionDraftLineRemove',
    document: REMOVE_LINE,
    variables: { draftId, lineId },
  });
  const { nodes } = (draft as { readonly discounts: { readonly nodes: readonly { readonly id?: string }[] } })
    .discounts;
  const { id } = discountAdded as { readonly id: string };
  return { isLeft: nodes.some((each) => each.id === id), kept: nodes.length };
}

/** Discounts are found by their title: the answer to the commit may be lost. */
async function removeDiscounts(mend: Ask, contractId: string): Promise<undefined> {
  const ours = async () => {
    type Contract = {
      readonly discounts: {
        readonly nodes: readonly { readonly id: string; readonly title: string | null }[];
      };
    };
    const { discounts } = rootOf<Contract>(await mend(DISCOUNTS, { id: contractId }), 'subscriptionContract');
    return discounts.nodes.filter(({ title }) => title === TITLE);
  };
  const found = await ours();
  if (found.length === 0) return undefined;
  const name = 'subscriptionDraftDiscountRemove';
  const steps = found.map(({ id }) => ({ name, document: REMOVE_DISCOUNT, variables: { discountId: id } }));
  await mendByDraft(mend, contractId, steps);
  if ((await ours()).length > 0) throw new Unmeasurable('The discount is still there');
  return undefined;
}
