/**
 * Changes the note and the custom attributes of a contract. An omitted argument changes nothing, and a null note
 * removes the note.
 */
import { createFact, toAttributesText } from '../../timeline/facts.ts';
import type { ContractFacts } from '../contract-facts.ts';
import { decideDraft } from '../draft/decide-draft.ts';
import type { DraftDecision } from '../draft/draft-operation.ts';
import type { Operation } from '../operation.ts';

type CustomAttribute = { readonly key: string; readonly value: string };
type ContractNoteInput = {
  readonly note?: string | null;
  readonly customAttributes?: readonly CustomAttribute[];
};
type ContractWithNote = {
  readonly note: string | null;
  readonly customAttributes: readonly CustomAttribute[];
};
type ContractNoteState = { readonly contract: ContractFacts & ContractWithNote };

/**
 * Returns the contract, or the user error INVALID, for example for a note that is too long. Sends four platform
 * requests, two if nothing changes.
 */
export const updateNote: Operation = (deps, request) => {
  const { note, customAttributes } = request.args as ContractNoteInput;
  const contractNoteInput: ContractNoteInput = {
    ...(note !== undefined && { note }),
    // Null changes nothing, like an omitted list. An empty list removes all attributes.
    ...(customAttributes && { customAttributes }),
  };
  return decideDraft<ContractNoteState>(deps, request, {
    contractArgument: 'contractId',
    reads: { contractSelection: 'note customAttributes { key value }' },
    decide: (state) => decideNoteChange(contractNoteInput, state),
  });
};

function decideNoteChange(
  input: ContractNoteInput,
  { contract }: ContractNoteState,
): DraftDecision<ContractNoteState> {
  const isChanged = {
    note: 'note' in input && !isSameNote(contract, input),
    customAttributes: 'customAttributes' in input && !areSameAttributes(contract, input),
  };
  if (!isChanged.note && !isChanged.customAttributes) return { kind: 'unchanged' };
  const detailsAfter = { note: input.note ?? null, customAttributes: input.customAttributes ?? [] };
  const contractNoteFact = createFact('note', { before: contract.note, after: detailsAfter.note });
  const attributesFact = createFact('customAttributes', {
    before: toAttributesText(contract.customAttributes),
    after: toAttributesText(detailsAfter.customAttributes),
  });
  return {
    kind: 'change',
    intent: {
      action: 'subscription_note_updated',
      details: {},
      changes: [
        ...(isChanged.note ? [contractNoteFact] : []),
        ...(isChanged.customAttributes ? [attributesFact] : []),
      ],
    },
    mutations: [
      {
        mutation: 'subscriptionDraftUpdate',
        args: { input: ['SubscriptionDraftInput!', input] },
        toClientField: (field) => (field.includes('customAttributes') ? ['customAttributes'] : ['note']),
      },
    ],
    showsChange: ({ contract: currentContract }) =>
      (!isChanged.note || isSameNote(currentContract, input)) &&
      (!isChanged.customAttributes || areSameAttributes(currentContract, input)),
  };
}

/** An empty note equals null, because the platform may store it as null. */
function isSameNote(contract: ContractWithNote, input: ContractNoteInput): boolean {
  return (contract.note ?? '') === (input.note ?? '');
}

function areSameAttributes(noted: ContractWithNote, input: ContractNoteInput): boolean {
  const toComparableText = (attributes: readonly CustomAttribute[] = []) =>
    JSON.stringify(attributes.map(({ key, value }) => [key, value]));
  return toComparableText(noted.customAttributes) === toComparableText(input.customAttributes);
}
