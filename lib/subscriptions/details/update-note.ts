/**
 * Changes note and custom attributes of a contract together. An omitted argument changes nothing; a null note removes
 * the note.
 */
import { attributesText, customAttributesFact, noteFact } from '../../timeline/changed-fact.ts';
import type { ContractFacts } from '../contract-facts.ts';
import type { DraftDecision } from '../draft/draft-operation.ts';
import { runDraft } from '../draft/run-draft.ts';
import type { Operation } from '../operation.ts';

type Attribute = { readonly key: string; readonly value: string };
type Asked = { readonly note?: string | null; readonly customAttributes?: readonly Attribute[] };
type Noted = { readonly note: string | null; readonly customAttributes: readonly Attribute[] };
type State = { readonly contract: ContractFacts & Noted };

/**
 * Sends four platform requests; two if nothing changes. userErrors: INVALID (for example a note that is too long).
 */
export const updateNote: Operation = (deps, request) => {
  const { note, customAttributes } = request.args as Asked;
  const asked: Asked = {
    ...(note !== undefined && { note }),
    // A missing list changes nothing; an empty list removes all attributes.
    ...(customAttributes && { customAttributes }),
  };
  return runDraft<State>(deps, request, {
    contractArgument: 'contractId',
    reads: { contract: 'note customAttributes { key value }' },
    decide: (state) => decide(asked, state),
  });
};

function decide(asked: Asked, { contract }: State): DraftDecision<State> {
  const changes = {
    note: 'note' in asked && !isSameNote(contract, asked),
    customAttributes: 'customAttributes' in asked && !areSameAttributes(contract, asked),
  };
  if (!changes.note && !changes.customAttributes) return { kind: 'unchanged' };
  const after = { note: asked.note ?? null, customAttributes: asked.customAttributes ?? [] };
  const noted = noteFact({ before: contract.note, after: after.note });
  const attributed = customAttributesFact({
    before: attributesText(contract.customAttributes),
    after: attributesText(after.customAttributes),
  });
  return {
    kind: 'change',
    intent: {
      action: 'subscription_note_updated',
      details: {},
      changes: [...(changes.note ? [noted] : []), ...(changes.customAttributes ? [attributed] : [])],
    },
    mutations: [
      {
        mutation: 'subscriptionDraftUpdate',
        args: { input: ['SubscriptionDraftInput!', asked] },
        blame: (field) => (field.includes('customAttributes') ? ['customAttributes'] : ['note']),
      },
    ],
    isDone: ({ contract: now }) =>
      (!changes.note || isSameNote(now, asked)) &&
      (!changes.customAttributes || areSameAttributes(now, asked)),
  };
}

/** The platform may store an empty note as null. */
function isSameNote(noted: Noted, asked: Asked): boolean {
  return (noted.note ?? '') === (asked.note ?? '');
}

function areSameAttributes(noted: Noted, asked: Asked): boolean {
  const text = (attributes: readonly Attribute[] = []) =>
    JSON.stringify(attributes.map(({ key, value }) => [key, value]));
  return text(noted.customAttributes) === text(asked.customAttributes);
}
