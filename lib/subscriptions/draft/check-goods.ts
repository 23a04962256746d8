/**
 * Checks that a customer's change makes no goods free: with all discounts, and without those that hide what the others
 * cover. While a code or a free trial takes everything off, goods cost nothing before and after the change, also if an
 * unlimited amount covers what the change leaves. So the change is repeated on drafts without them, which are not committed.
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
 * No request as a rule. Three for each set of discounts that may hide something, where a changed line is free by discounts,
 * and for a refusal beside codes.
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
  if (discounts === undefined) return refusal;
  if (refusal !== undefined) return adviseOnCodes(run, state, { change, refusal, discounts });
  if (!mayHide(before, after)) return undefined;
  for (const hiding of hidingDiscounts(discounts)) {
    const refused = await checkWithout(run, state, { change, hiding, discounts });
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function refuse(change: PricedChange): ChangeRefusal | undefined {
  const refusal = refuseFreeGoods(change);
  return refusal === undefined ? undefined : { kind: 'refused', userErrors: [refusal] };
}

type Refused = {
  readonly change: PricedChange;
  readonly refusal: ChangeRefusal;
  readonly discounts: readonly DraftDiscount[];
};

/**
 * Advises to remove the codes only where that helps: a customer cannot apply a used code again.
 * @returns the refusal, which advises it, or the same one that does not
 */
async function adviseOnCodes<State extends ContractState>(
  run: DraftRun<State>,
  state: State,
  { change, refusal, discounts }: Refused,
): Promise<ChangeRefusal | undefined> {
  const { codes, byHand } = discountsOnGoods(discounts);
  if (codes.length === 0 || byHand.length === 0) return refusal;
  const refused = await checkWithout(run, state, { change, hiding: codes, discounts });
  if (refused?.kind === 'stale') return refused;
  return refused === undefined ? refusal : refuse({ ...change, discounts: byHand });
}

/** Fewer discounts never make a line cheaper, so only lines that are free by discounts may hide something. */
function mayHide(before: DraftLines, after: DraftLines): boolean {
  const isFreeByDiscounts = after.nodes.some(
    (line) => isFree(line, 'lineDiscountedPrice') && !isFree(line, 'currentPrice'),
  );
  return isFreeByDiscounts && goodsText(before) !== goodsText(after);
}

function goodsText({ nodes }: DraftLines): string {
  return JSON.stringify(
    nodes.map(({ id, variantId, quantity, currentPrice }) => [id, variantId, quantity, currentPrice]),
  );
}

/**
 * Codes, which customers can remove; and with them what the merchant gives for fewer payments than something else, so that
 * each set is what has ended at some time.
 */
function hidingDiscounts(discounts: readonly DraftDiscount[]): DraftDiscount[][] {
  const { codes, byHand } = discountsOnGoods(discounts);
  const ends = [...new Set(byHand.map(paymentsLeft))].sort((one, other) => one - other).slice(0, -1);
  return [
    ...(codes.length > 0 && byHand.length > 0 ? [codes] : []),
    ...ends.map((end) => [...codes, ...byHand.filter((one) => paymentsLeft(one) <= end)]),
  ];
}

function discountsOnGoods(discounts: readonly DraftDiscount[]) {
  const onGoods = discounts.filter(isOnGoods);
  return { codes: onGoods.filter(isOfCode), byHand: onGoods.filter((one) => !isOfCode(one)) };
}

function paymentsLeft({ recurringCycleLimit, usageCount }: DraftDiscount): number {
  return recurringCycleLimit === null ? Number.POSITIVE_INFINITY : recurringCycleLimit - usageCount;
}

type Hidden = {
  readonly change: PricedChange;
  readonly hiding: readonly DraftDiscount[];
  readonly discounts: readonly DraftDiscount[];
};

async function checkWithout<State extends ContractState>(
  { deps, contractId, request: { args } }: DraftRun<State>,
  { contract: { revisionId } }: State,
  { change, hiding, discounts }: Hidden,
): Promise<ChangeRefusal | undefined> {
  const draft = await openDraft(deps, { contractId, revisionId, args });
  // The first draft was opened, so the contract has changed since. A restart finds out what refuses the second.
  if (draft.kind !== 'opened') return { kind: 'stale' };
  const without = await changeDraft(deps, { draft, mutations: hiding.map(removal) });
  if (without.kind !== 'changed') return without;
  const mutations = change.mutations.filter(
    ({ args }) => !hiding.some(({ id }) => id === args.discountId?.[1]),
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
    discounts: discounts.filter((discount) => !hiding.includes(discount)),
  });
}

function removal({ id }: DraftDiscount): DraftMutation {
  return {
    mutation: 'subscriptionDraftDiscountRemove',
    args: { discountId: ['ID!', id] },
    blame: () => null,
  };
}
