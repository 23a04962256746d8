/** The control of what cards answer to charges. */
import { isEnumType } from 'graphql';
import { schema } from '../admin/endpoint/schema.ts';
import { InvalidControlInput, parseKnownFields } from '../control/control-input.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import {
  ACTION_REQUIRED_ANSWER,
  PAYS_ANSWER,
  PENDING_ANSWER,
  setBankAnswers,
} from '../state/attempts/card-answers.ts';
import type { PaymentMethodRecord } from '../state/customer-records.ts';
import type { StoreState } from '../state/state.ts';
import type { PlatformContext } from './platform-context.ts';

const attemptErrorCodeEnum = schema.getType('SubscriptionBillingAttemptErrorCode');
const KNOWN_CARD_ANSWERS = [
  ...[PAYS_ANSWER, ACTION_REQUIRED_ANSWER, PENDING_ANSWER],
  ...(isEnumType(attemptErrorCodeEnum) ? attemptErrorCodeEnum.getValues().map(({ name }) => name) : []),
];

/** Sets the answers of a subscription's payment method, or of all methods of a customer. */
export function setCardAnswers(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: (shop: unknown) => StoreState,
): void {
  const { shop, contractId, customerId, answers } = parseKnownFields(body, [
    'shop',
    'contractId',
    'customerId',
    'answers',
  ]);
  const store = storeOf(shop);
  const given = parseCardAnswers(answers);
  if ((contractId === undefined) === (customerId === undefined))
    throw new InvalidControlInput('Give one of "contractId" and "customerId".');
  const methods =
    contractId === undefined
      ? requireMethodsOfCustomer(store, customerId)
      : [requireMethodOfContract(store, contractId)];
  const nowMs = context.clock.now();
  for (const method of methods) setBankAnswers(store, method, { answers: given, nowMs });
  context.stateChanged();
}

function parseCardAnswers(answers: unknown): string[] {
  const takes = `"answers" is a list with an answer for each charge, of which the last stays: ${KNOWN_CARD_ANSWERS.join(', ')}`;
  if (!Array.isArray(answers) || answers.length === 0) throw new InvalidControlInput(`${takes}.`);
  const wrong = answers.find((answer) => !KNOWN_CARD_ANSWERS.includes(answer));
  if (wrong !== undefined) throw new InvalidControlInput(`${takes}; not ${wrong}.`);
  return answers;
}

function requireMethodOfContract(store: StoreState, contractId: unknown): PaymentMethodRecord {
  const id = store.contracts.get(Number(contractId))?.content.paymentMethodId;
  const method = id == null ? undefined : store.paymentMethods.get(id);
  if (method !== undefined) return method;
  throw new InvalidControlInput('"contractId" is the number of a subscription that has a payment method.');
}

function requireMethodsOfCustomer(store: StoreState, customerId: unknown): PaymentMethodRecord[] {
  const methods = [...store.paymentMethods.values()].filter((each) => each.customerId === customerId);
  if (methods.length > 0) return methods;
  throw new InvalidControlInput('"customerId" is the number of a customer who has a payment method.');
}
