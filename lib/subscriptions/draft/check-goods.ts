/**
 * Checks that a customer's change makes no goods free, with the present discounts and with those that remain later. A
 * code or a free trial can reduce all prices to zero before and after the change, and so hide what the other
 * discounts cover once it has ended. Therefore the change is repeated on drafts with fewer discounts, which are not
 * committed.
 */
import { isOfCode, isOnGoods } from '../discount-facts.ts';
import type { ContractState } from '../read-contract-state.ts';
import { type ChangedDraft, changeDraft, openDraft } from './change-draft.ts';
import type { DraftLines } from './draft-lines.ts';
import type { DraftDiscount, DraftMutation, DraftRun, OpenedDraft } from './draft-operation.ts';
import type { ChangeRefusal } from './draft-refusal.ts';
import { isFree, type PricedChange, refuseFreeGoods } from './refuse-free-goods.ts';

type Drafted = {
  readonly draft: OpenedDraft;
  readonly made: ChangedDraft;
  readonly mutations: readonly DraftMutation[];
  readonly discounts: readonly DraftDiscount[] | undefined;
};

/**
 * Usually sends no request. Sends three for each `laterDiscounts`, if a line is free by discounts after the change or
 * the change is refused.
 * @returns why the change is refused; undefined when it is allowed, or no customer is acting
 */
export async function checkGoods<State extends ContractState>(
  run: DraftRun<State>,
  state: State,
  { draft, made, mutations, discounts }: Drafted,
): Promise<ChangeRefusal | undefined> {
  const [before, after] = [draft.lines, made.lines];
  if (before === undefined || after === undefined) return undefined;
  const { contractArgument } = run.operation;
  const change = { before, after, mutations, payloads: made.payloads, discounts, contractArgument };
  const refusal = refuse(change);
  // Fewer discounts never make a line cheaper, so only lines that are free by discounts can hide something.
  if (discounts === undefined || (refusal === undefined && !isAnyFreeByDiscounts(after))) return refusal;
  for (const left of laterDiscounts(discounts)) {
    const refused = await checkWith(run, state, { change, left, discounts });
    if (refused !== undefined) return refused;
  }
  return refusal;
}

function refuse(change: PricedChange): ChangeRefusal | undefined {
  const refusal = refuseFreeGoods(change);
  return refusal === undefined ? undefined : { kind: 'refused', userErrors: [refusal] };
}

function isAnyFreeByDiscounts({ nodes }: DraftLines): boolean {
  return nodes.some((line) => isFree(line, 'lineDiscountedPrice') && !isFree(line, 'currentPrice'));
}

/**
 * Lists which discounts on goods can remain: whenever one ends, with all, some and none of the codes, which the
 * customer can remove. Lists without codes are first: a refusal recommends removing codes only if that helps.
 * @returns only lists with a manual discount, because codes alone may make goods free
 */
function laterDiscounts(discounts: readonly DraftDiscount[]): DraftDiscount[][] {
  const onGoods = discounts.filter(isOnGoods);
  const byHand = onGoods.filter((one) => !isOfCode(one));
  const ends = [0, ...onGoods.map(paymentsLeft)];
  const later = remainingCodes(onGoods.filter(isOfCode)).flatMap((codes) =>
    ends.map((end) => [...byHand, ...codes].filter((one) => paymentsLeft(one) > end)),
  );
  const distinct = new Map(later.map((left) => [left.map(({ id }) => id).join(), left]));
  return [...distinct.values()].filter(
    (left) => left.length < onGoods.length && left.some((one) => !isOfCode(one)),
  );
}

/**
 * Up to this number of codes, all combinations are tried. With more codes, only none, each one alone, and all are
 * tried: each combination costs three requests.
 */
const MAX_COMBINED_CODES = 3;

function remainingCodes(codes: readonly DraftDiscount[]): readonly (readonly DraftDiscount[])[] {
  return codes.length <= MAX_COMBINED_CODES ? choicesOf(codes) : [[], ...codes.map((code) => [code]), codes];
}

/** Lists all subsets of the codes, from none to all. */
function choicesOf([code, ...others]: readonly DraftDiscount[]): DraftDiscount[][] {
  if (code === undefined) return [[]];
  return choicesOf(others).flatMap((choice) => [choice, [code, ...choice]]);
}

function paymentsLeft({ recurringCycleLimit, usageCount }: DraftDiscount): number {
  return recurringCycleLimit === null ? Number.POSITIVE_INFINITY : recurringCycleLimit - usageCount;
}

type Later = {
  readonly change: PricedChange;
  /** The discounts on goods that remain. */
  readonly left: readonly DraftDiscount[];
  readonly discounts: readonly DraftDiscount[];
};

/** Repeats the change on a draft with only these discounts. */
async function checkWith<State extends ContractState>(
  { deps, contractId, request: { args } }: DraftRun<State>,
  { contract: { revisionId } }: State,
  { change, left, discounts }: Later,
): Promise<ChangeRefusal | undefined> {
  const ended = discounts.filter((one) => isOnGoods(one) && !left.includes(one));
  const draft = await openDraft(deps, { contractId, revisionId, args });
  // The first draft could be opened, so the contract has changed since. A restart finds the reason for the second
  // refusal.
  if (draft.kind !== 'opened') return { kind: 'stale' };
  const without = await changeDraft(deps, { draft, mutations: ended.map(removal) });
  if (without.kind !== 'changed') return without;
  const mutations = change.mutations.filter(
    ({ args }) => !ended.some(({ id }) => id === args.discountId?.[1]),
  );
  const made = await changeDraft(deps, { draft, mutations });
  if (made.kind !== 'changed') return made;
  if (without.lines === undefined || made.lines === undefined) return undefined;
  return refuse({
    ...change,
    before: without.lines,
    after: made.lines,
    mutations,
    payloads: made.payloads,
    discounts: left,
  });
}

function removal({ id }: DraftDiscount): DraftMutation {
  return {
    mutation: 'subscriptionDraftDiscountRemove',
    args: { discountId: ['ID!', id] },
    blame: () => null,
  };
}
