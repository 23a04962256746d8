/** Concatenates cycles of other contracts to a draft of one cycle, so that one charge and one order cover them all. */
import type { ContractRecord, DraftRecord } from '../../../state/contract-records.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserError, type UserError } from '../../user-error.ts';
import { type CycleInput, isSelectedCycle, selectCycle } from '../billing/billing-cycles.ts';
import { changeDraft } from './draft-lookup.ts';

const MAX_CONCATENATED_CONTRACTS = 30;
const CONCATENATE_INPUT_PATH = ['concatenatedBillingCycleContracts'];

type ConcatenateArgs = { draftId: string; concatenatedBillingCycleContracts: CycleInput[] };

function resolveConcatenateContracts(
  _parent: unknown,
  { draftId, concatenatedBillingCycleContracts: cycleInputs }: ConcatenateArgs,
  context: AdminContext,
) {
  return changeDraft(draftId, context, (draft) => {
    if (draft.cycleIndex === null) {
      return createUserError(
        ['draftId'],
        'A billing cycle contract draft is required',
        'CONCATENATION_BILLING_CYCLE_CONTRACT_DRAFT_REQUIRED',
      );
    }
    const totalContractCount = draft.concatenated.length + cycleInputs.length;
    if (totalContractCount > MAX_CONCATENATED_CONTRACTS) {
      return createUserError(
        CONCATENATE_INPUT_PATH,
        `At most ${MAX_CONCATENATED_CONTRACTS} contracts can be concatenated`,
        'EXCEEDED_MAX_CONCATENATED_CONTRACTS',
      );
    }
    const joinedCycles: { contract: ContractRecord; index: number }[] = [];
    for (const input of cycleInputs) {
      const parsedContract = parseContractToConcatenate(draft, input, context);
      if ('message' in parsedContract) return parsedContract;
      if (joinedCycles.some(({ contract }) => contract === parsedContract.contract))
        return duplicateContractsError;
      joinedCycles.push(parsedContract);
    }
    for (const each of joinedCycles) concatenateContract(draft, each);
    return {};
  });
}

const duplicateContractsError = createUserError(
  CONCATENATE_INPUT_PATH,
  'Contracts must not be repeated',
  'DUPLICATE_CONCATENATED_CONTRACTS',
);

type ContractToConcatenate = { contract: ContractRecord; index: number };

function parseContractToConcatenate(
  draft: DraftRecord,
  { contractId, selector }: CycleInput,
  { store, nowMs }: AdminContext,
): ContractToConcatenate | UserError {
  const contract = store.contracts.get(requireGidNumber(contractId, 'SubscriptionContract'));
  if (contract === undefined)
    return createUserError(CONCATENATE_INPUT_PATH, 'Subscription contract does not exist', 'INVALID');
  const isAlreadyConcatenated = draft.concatenated.some((each) => each.contractId === contract.id);
  if (isAlreadyConcatenated || contract.id === draft.contractId) return duplicateContractsError;
  if (contract.content.customerId !== draft.content.customerId) {
    return createUserError(
      CONCATENATE_INPUT_PATH,
      'All contracts must belong to the same customer',
      'CUSTOMER_MISMATCH',
    );
  }
  const cycle = selectCycle(contract, selector, nowMs);
  if (!isSelectedCycle(cycle))
    return createUserError(CONCATENATE_INPUT_PATH, cycle.message, 'CYCLE_SELECTOR_VALIDATE_ONE_OF');
  if (cycle.billed || cycle.skipped)
    return createUserError(CONCATENATE_INPUT_PATH, 'The billing cycle is billed or skipped', 'INVALID');
  return { contract, index: cycle.index };
}

function concatenateContract(draft: DraftRecord, { contract, index }: ContractToConcatenate): void {
  const content = contract.cycleEdits[index]?.contract?.content ?? contract.content;
  draft.content.lines.push(
    ...structuredClone(content.lines).map((line) => ({ ...line, originContractId: contract.id })),
  );
  draft.concatenated.push({ contractId: contract.id, cycleIndex: index });
}

export const draftConcatenateResolvers: ResolverMap = {
  Mutation: { subscriptionBillingCycleContractDraftConcatenate: resolveConcatenateContracts },
};
