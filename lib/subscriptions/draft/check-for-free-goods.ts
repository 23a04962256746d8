/**
 * Checks that a customer's change makes no goods free, neither with the present discounts nor with those that remain
 * when some have ended or the customer has removed codes. A code or a free trial can reduce all prices to zero both
 * before and after the change, and so hide what the remaining discounts make free later. Therefore the change is
 * repeated in drafts with fewer discounts, which are not committed.
 */
import { appliesToGoods, isCodeDiscount } from '../discount-facts.ts';
import type { ContractState } from '../read-contract-state.ts';
import { type ChangedDraft, changeDraft, openDraft } from './change-draft.ts';
import type { PricedDraftLines } from './draft-lines.ts';
import type { DraftDiscount, DraftMutation, DraftRun, OpenedDraft } from './draft-operation.ts';
import type { DraftChangeRefusal } from './draft-refusal.ts';
import { findFreeGoodsError, isLinePriceZero, type PricedDraftChange } from './find-free-goods-error.ts';

type DraftToCheck = {
  readonly draft: OpenedDraft;
  readonly changedDraft: ChangedDraft;
  readonly mutations: readonly DraftMutation[];
  readonly discounts: readonly DraftDiscount[] | undefined;
};

/**
 * Returns the refusal if the change makes goods free. Usually sends no request. Sends three requests for each set of
 * `listRemainingDiscountSets` if the change is refused, or if discounts make a line free after the change.
 * @returns undefined when the change is allowed, or the request acts for no customer
 */
export async function checkForFreeGoods<State extends ContractState>(
  run: DraftRun<State>,
  state: State,
  { draft, changedDraft, mutations, discounts: allDiscounts }: DraftToCheck,
): Promise<DraftChangeRefusal | undefined> {
  const [linesBefore, linesAfter] = [draft.lines, changedDraft.lines];
  if (linesBefore === undefined || linesAfter === undefined) return undefined;
  const { contractArgument } = run.operation;
  const draftChange = {
    linesBefore,
    linesAfter,
    mutations,
    payloads: changedDraft.payloads,
    discounts: allDiscounts,
    contractArgument,
  };
  const freeGoodsRefusal = findFreeGoodsRefusal(draftChange);
  // No discount makes a line free after the change. With fewer discounts no line gets cheaper, so no other set has to
  // be checked.
  if (allDiscounts === undefined || (freeGoodsRefusal === undefined && !isAnyFreeByDiscounts(linesAfter)))
    return freeGoodsRefusal;
  for (const remainingDiscounts of listRemainingDiscountSets(allDiscounts)) {
    const remainingRefusal = await checkWithRemainingDiscounts(run, state, {
      change: draftChange,
      remainingDiscounts,
      allDiscounts,
    });
    if (remainingRefusal !== undefined) return remainingRefusal;
  }
  return freeGoodsRefusal;
}

function findFreeGoodsRefusal(change: PricedDraftChange): DraftChangeRefusal | undefined {
  const refusalError = findFreeGoodsError(change);
  return refusalError === undefined ? undefined : { kind: 'refused', userErrors: [refusalError] };
}

function isAnyFreeByDiscounts({ nodes }: PricedDraftLines): boolean {
  return nodes.some(
    (line) => isLinePriceZero(line, 'lineDiscountedPrice') && !isLinePriceZero(line, 'currentPrice'),
  );
}

/**
 * Lists the sets of discounts on goods that can remain later. For each number of payments after which a discount
 * ends, the codes are combined with none, some and all of them removed, because a customer may remove codes. Sets
 * without codes come first: the refusal then advises to remove codes only if that helps.
 * @returns only sets with a manual discount, because codes alone may make goods free
 */
function listRemainingDiscountSets(discounts: readonly DraftDiscount[]): DraftDiscount[][] {
  const goodsDiscounts = discounts.filter(appliesToGoods);
  const merchantDiscounts = goodsDiscounts.filter((one) => !isCodeDiscount(one));
  const paymentCounts = [0, ...goodsDiscounts.map(countPaymentsLeft)];
  const laterSets = listRemainingCodeSets(goodsDiscounts.filter(isCodeDiscount)).flatMap((codes) =>
    paymentCounts.map((paymentCount) =>
      [...merchantDiscounts, ...codes].filter((one) => countPaymentsLeft(one) > paymentCount),
    ),
  );
  const distinctSets = new Map(
    laterSets.map((remainingDiscounts) => [
      remainingDiscounts.map(({ id }) => id).join(),
      remainingDiscounts,
    ]),
  );
  return [...distinctSets.values()].filter(
    (remainingDiscounts) =>
      remainingDiscounts.length < goodsDiscounts.length &&
      remainingDiscounts.some((one) => !isCodeDiscount(one)),
  );
}

/**
 * Up to this number of codes, every combination of them is checked. With more codes, only these sets are checked: no
 * code, each single code, and all codes. Each set costs three requests.
 */
const MAX_COMBINED_CODES = 3;

function listRemainingCodeSets(codes: readonly DraftDiscount[]): readonly (readonly DraftDiscount[])[] {
  return codes.length <= MAX_COMBINED_CODES
    ? listCombinations(codes)
    : [[], ...codes.map((code) => [code]), codes];
}

/** Returns all subsets of the codes. */
function listCombinations([code, ...others]: readonly DraftDiscount[]): DraftDiscount[][] {
  if (code === undefined) return [[]];
  return listCombinations(others).flatMap((subset) => [subset, [code, ...subset]]);
}

function countPaymentsLeft({ recurringCycleLimit, usageCount }: DraftDiscount): number {
  return recurringCycleLimit === null ? Number.POSITIVE_INFINITY : recurringCycleLimit - usageCount;
}

type RemainingDiscountsCheck = {
  readonly change: PricedDraftChange;
  /** The discounts that are left on the goods when the others have ended. */
  readonly remainingDiscounts: readonly DraftDiscount[];
  readonly allDiscounts: readonly DraftDiscount[];
};

/**
 * Repeats the change in a draft that has only the remaining discounts. Returns the reason why the change would be
 * refused then.
 * @returns undefined when it would be allowed
 */
async function checkWithRemainingDiscounts<State extends ContractState>(
  { deps, contractId, request: { args } }: DraftRun<State>,
  { contract: { revisionId } }: State,
  { change, remainingDiscounts, allDiscounts }: RemainingDiscountsCheck,
): Promise<DraftChangeRefusal | undefined> {
  const endedDiscounts = allDiscounts.filter(
    (one) => appliesToGoods(one) && !remainingDiscounts.includes(one),
  );
  const openedDraft = await openDraft(deps, { contractId, revisionId, args });
  // The contract has changed since the first draft was opened. The restart after `stale` finds out why this one was
  // not opened.
  if (openedDraft.kind !== 'opened') return { kind: 'stale' };
  const reducedDraft = await changeDraft(deps, {
    draft: openedDraft,
    mutations: endedDiscounts.map(buildDiscountRemoval),
  });
  if (reducedDraft.kind !== 'changed') return reducedDraft;
  const mutations = change.mutations.filter(
    ({ args }) => !endedDiscounts.some(({ id }) => id === args.discountId?.[1]),
  );
  const changedDraft = await changeDraft(deps, { draft: openedDraft, mutations });
  if (changedDraft.kind !== 'changed') return changedDraft;
  if (reducedDraft.lines === undefined || changedDraft.lines === undefined) return undefined;
  return findFreeGoodsRefusal({
    ...change,
    linesBefore: reducedDraft.lines,
    linesAfter: changedDraft.lines,
    mutations,
    payloads: changedDraft.payloads,
    discounts: remainingDiscounts,
  });
}

function buildDiscountRemoval({ id }: DraftDiscount): DraftMutation {
  return {
    mutation: 'subscriptionDraftDiscountRemove',
    args: { discountId: ['ID!', id] },
    toClientField: () => null,
  };
}
