/** Charges a subscription's due order at a running platform, and reads what a client of the Admin API sees of it. */
import { expect } from '@jest/globals';
import { askAdmin, harbor, type Json, type TestPlatform } from './running-platform.ts';

export const CONTRACT = 9101001;
export const CONTRACT_ID = `gid://shopify/SubscriptionContract/${CONTRACT}`;
/** The contract's order that is due after `DUE_SECONDS` from the seed's time. */
const CYCLE = 7;
const DUE_SECONDS = 102 * 3600;

const STATE = `state { __typename
  ... on SubscriptionBillingAttemptSuccessState { order { name } }
  ... on SubscriptionBillingAttemptActionRequiredState { action { ... on SubscriptionBillingAttemptPaymentChallenge { nextActionUrl status } } }
  ... on SubscriptionBillingAttemptFailedState { error { __typename
    ... on SubscriptionBillingAttemptPaymentError { payment: code }
    ... on SubscriptionBillingAttemptInventoryError { inventory: code insufficientStockProductVariants(first: 5) { nodes { id } } }
    ... on SubscriptionBillingAttemptGeneralError { general: code }
    ... on SubscriptionBillingAttemptUnexpectedError { message } } } }`;

/** The name of an attempt's state: Pending, Success, Failed or ActionRequired. */
export const kindOf = ({ state }: Json): string =>
  state.__typename.replace(/^SubscriptionBillingAttempt|State$/g, '');

export function createChargeSteps(platform: () => TestPlatform) {
  let keyCount = 0;

  /** Returns the only root field of a document without errors. */
  async function ask(query: string): Promise<Json> {
    const { json } = await askAdmin(platform(), query);
    expect(json.errors).toBeUndefined();
    return Object.values(json.data)[0];
  }

  /** Sends a charge of the due order, and returns the payload. `more` are further fields of the input. */
  function tryCharge(idempotencyKey = `k${keyCount++}`, more = ''): Promise<Json> {
    const input = `{ idempotencyKey: "${idempotencyKey}", billingCycleSelector: { index: ${CYCLE} } ${more} }`;
    return ask(`mutation { subscriptionBillingAttemptCreate(
      subscriptionContractId: "${CONTRACT_ID}", subscriptionBillingAttemptInput: ${input}
    ) { subscriptionBillingAttempt { id } userErrors { field message code } } }`);
  }

  async function charge(idempotencyKey?: string, more = ''): Promise<string> {
    const { subscriptionBillingAttempt, userErrors } = await tryCharge(idempotencyKey, more);
    expect(userErrors).toEqual([]);
    return subscriptionBillingAttempt.id;
  }

  const read = (id: string): Promise<Json> =>
    ask(
      `{ subscriptionBillingAttempt(id: "${id}") { createdAt completedAt ready errorCode nextActionUrl ${STATE} } }`,
    );

  /** Charges the order and returns the code of the failure, or undefined if it is paid. */
  async function chargeForCode(): Promise<string | undefined> {
    return (await read(await charge())).errorCode ?? undefined;
  }

  return {
    ...{ ask, tryCharge, charge, read, chargeForCode },
    readCycle: (): Promise<Json> =>
      ask(`{ subscriptionBillingCycle(billingCycleInput: { contractId: "${CONTRACT_ID}", selector: { index: ${CYCLE} } }) {
        status billingAttempts(first: 20) { nodes { idempotencyKey errorCode } } } }`),
    /** Sets a control of the first store, and expects that it is taken. */
    async set(control: string, body: object): Promise<void> {
      expect(await platform().control('POST', control, { shop: harbor, ...body })).toMatchObject({
        status: 200,
      });
    },
    /** Moves the clock; the platform notices the attempts that have ended. */
    wait: (seconds: number) => platform().control('POST', 'clock', { advance: seconds }),
    /** Returns the webhooks under these topics, the oldest first, each with its topic and its body. */
    async webhooks(prefix: string): Promise<{ topic: string; body: Json }[]> {
      const { deliveries } = (await platform().control('GET', 'webhooks')).json;
      const found = deliveries.filter(({ topic }: Json) => topic.startsWith(prefix));
      return found.map(({ topic, body }: Json) => ({ topic: topic.split('/')[1], body: JSON.parse(body) }));
    },
    /** Starts anew on the day of the order; webhooks are made, and wait. */
    async reset(): Promise<void> {
      await platform().control('POST', 'reset');
      await platform().control('POST', 'clock', { advance: DUE_SECONDS });
      await platform().control('POST', 'webhook-weather', { isHeld: true });
      const uri = 'http://127.0.0.1:9/webhooks';
      await platform().control('POST', 'app-webhooks', { shop: harbor, uri });
    },
  };
}
