/** The control of what cards answer to charges. */
import { isEnumType } from 'graphql';
import { schema } from '../admin/endpoint/schema.ts';
import { BadControlInput, fieldsOf } from '../control/control-input.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { ACTION_REQUIRED_ANSWER, PAYS_ANSWER, PENDING_ANSWER, setAnswers } from '../state/card-answers.ts';
import type { PaymentMethodRecord } from '../state/customer-records.ts';
import type { StoreState } from '../state/state.ts';
import type { PlatformContext } from './platform-context.ts';

const attemptErrorCodes = schema.getType('SubscriptionBillingAttemptErrorCode');
const KNOWN_FIELDS = [
  ...[PAYS_ANSWER, ACTION_REQUIRED_ANSWER, PENDING_ANSWER],
  ...(isEnumType(attemptErrorCodes) ? attemptErrorCodes.getValues().map(({ name }) => name) : []),
];

/** Sets the answers of a subscription's payment method, or of all methods of a customer. */
export function setCard(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: (shop: unknown) => StoreState,
): void {
  const { shop, contractId, customerId, answers } = fieldsOf(body, [
    'shop',
    'contractId',
    'customerId',
    'answers',
  ]);
  const store = storeOf(shop);
  const given = readAnswers(answers);
  if ((contractId === undefined) === (customerId === undefined))
    throw new BadControlInput('Give one of "contractId" and "customerId".');
  const methods =
    contractId === undefined
      ? findMethodsOfCustomer(store, customerId)
      : [findMethodOfContract(store, contractId)];
  const nowMs = context.clock.now();
  for (const method of methods) setAnswers(store, method, { answers: given, nowMs });
  context.stateChanged();
}

function readAnswers(answers: unknown): string[] {
  const takes = `"answers" is a list with an answer for each charge, of which the last stays: ${KNOWN_FIELDS.join(', ')}`;
  if (!Array.isArray(answers) || answers.length === 0) throw new BadControlInput(`${takes}.`);
  const wrong = answers.find((answer) => !KNOWN_FIELDS.includes(answer));
  if (wrong !== undefined) throw new BadControlInput(`${takes}; not ${wrong}.`);
  return answers;
}

function findMethodOfContract(store: StoreState, contractId: unknown): PaymentMethodRecord {
  const id = store.contracts.get(Number(contractId))?.content.paymentMethodId;
  const method = id == null ? undefined : store.paymentMethods.get(id);
  if (method !== undefined) return method;
  throw new BadControlInput('"contractId" is the number of a subscription that has a payment method.');
}

function findMethodsOfCustomer(store: StoreState, customerId: unknown): PaymentMethodRecord[] {
  const methods = [...store.paymentMethods.values()].filter((each) => each.customerId === customerId);
  if (methods.length > 0) return methods;
  throw new BadControlInput('"customerId" is the number of a customer who has a payment method.');
}
