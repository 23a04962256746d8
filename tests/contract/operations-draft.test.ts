/** The operations that are one draft: lines, payment method, discounts, note. */
import { describeOperation } from './operation-cases.ts';

const ERRORS = 'userErrors { field message code }';

describeOperation('subscriptionContractNoteUpdate', {
  query: `mutation ($contractId: ID!, $note: String, $attributes: [AttributeInput!]) {
    subscriptionContractNoteUpdate(contractId: $contractId, note: $note, customAttributes: $attributes) {
      contract { note customAttributes { key value } } ${ERRORS}
    }
  }`,
  variables: () => ({ note: 'Ring twice', attributes: [{ key: 'door', value: 'blue' }] }),
  contractArgument: 'contractId',
  actors: ['store', 'store for a customer'],
  fact: ({ content }) => [content.note, content.customAttributes],
  after: ['Ring twice', [{ key: 'door', value: 'blue' }]],
  payload: { contract: { note: 'Ring twice', customAttributes: [{ key: 'door', value: 'blue' }] } },
  changesBy: 'subscriptionDraftCommit',
  requests: { change: 4, repeat: 2 },
  action: 'subscription_note_updated',
});
