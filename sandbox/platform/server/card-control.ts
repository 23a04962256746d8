/** The controls of what charges lead to: the answers of cards, and scripts over time. */
import { InvalidControlInput, parseControlFields } from '../control/control-input.ts';
import { KNOWN_CARD_ANSWERS, parseOutcomeSteps } from '../control/outcome-steps-input.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { setBankAnswers } from '../state/attempts/card-answers.ts';
import type { ContractRecord } from '../state/contract-records.ts';
import type { PaymentMethodRecord } from '../state/customer-records.ts';
import type { StoreState } from '../state/state.ts';
import type { PlatformContext } from './platform-context.ts';

const TARGET_FIELDS = ['shop', 'contractId', 'customerId'];

type FindStore = (shop: unknown) => StoreState;

/** Sets the answers of a subscription's payment method, or of all methods of a customer. */
export function setCardAnswers(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: FindStore,
): void {
  const { shop, contractId, customerId, answers } = parseControlFields(body, [...TARGET_FIELDS, 'answers']);
  const store = storeOf(shop);
  const cardAnswers = parseCardAnswers(answers);
  if ((contractId === undefined) === (customerId === undefined))
    throw new InvalidControlInput('Give one of "contractId" and "customerId".');
  const paymentMethods =
    contractId === undefined
      ? requireMethodsOfCustomer(store, customerId)
      : [requireMethodOfContract(store, contractId)];
  const nowMs = context.clock.now();
  for (const method of paymentMethods) setBankAnswers(store, method, { answers: cardAnswers, nowMs });
  context.stateChanged();
}

/** Sets the script of a subscription, of all payment methods of a customer, or of the store. */
export function setOutcomeScript(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: FindStore,
): void {
  const { shop, contractId, customerId, steps } = parseControlFields(body, [...TARGET_FIELDS, 'steps']);
  const store = storeOf(shop);
  if (contractId !== undefined && customerId !== undefined)
    throw new InvalidControlInput('Give "contractId", "customerId", or none of them for the whole store.');
  // Each target counts its own charges.
  if (contractId !== undefined) requireContract(store, contractId).outcomes = parseOutcomeSteps(steps);
  else if (customerId === undefined) store.outcomes = parseOutcomeSteps(steps);
  else {
    for (const { instrument } of requireMethodsOfCustomer(store, customerId))
      instrument.outcomes = parseOutcomeSteps(steps);
  }
  context.stateChanged();
}

function parseCardAnswers(answers: unknown): string[] {
  const usageText = `"answers" is a list with an answer for each charge, of which the last stays: ${KNOWN_CARD_ANSWERS.join(', ')}`;
  if (!Array.isArray(answers) || answers.length === 0) throw new InvalidControlInput(`${usageText}.`);
  const unknownAnswer = answers.find((answer) => !KNOWN_CARD_ANSWERS.includes(answer));
  if (unknownAnswer !== undefined) throw new InvalidControlInput(`${usageText}; not ${unknownAnswer}.`);
  return answers;
}

function requireContract(store: StoreState, contractId: unknown): ContractRecord {
  const contract = store.contracts.get(Number(contractId));
  if (contract !== undefined) return contract;
  throw new InvalidControlInput('"contractId" is the number of a subscription.');
}

function requireMethodOfContract(store: StoreState, contractId: unknown): PaymentMethodRecord {
  const id = store.contracts.get(Number(contractId))?.content.paymentMethodId;
  const method = id == null ? undefined : store.paymentMethods.get(id);
  if (method !== undefined) return method;
  throw new InvalidControlInput('"contractId" is the number of a subscription that has a payment method.');
}

function requireMethodsOfCustomer(store: StoreState, customerId: unknown): PaymentMethodRecord[] {
  const customerMethods = [...store.paymentMethods.values()].filter((each) => each.customerId === customerId);
  if (customerMethods.length > 0) return customerMethods;
  throw new InvalidControlInput('"customerId" is the number of a customer who has a payment method.');
}
