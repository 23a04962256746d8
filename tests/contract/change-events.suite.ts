/** The payload's `event` over HTTP, for every mutation of the service that records changes: the entry of the timeline. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMutation } from '../../graphql/mutations/mutations.ts';
import { getAdminSchema } from '../../graphql/schema/schema.ts';
import { ask, signIn } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

const EVENT = `... on SubscriptionEvent { id action message createdAt outcome actor { kind } changes { field before after } }`;
const PAYLOAD = `event { ${EVENT} } contract { events(last: 1) { nodes { ${EVENT} } } } userErrors { message }`;
const STATE = `query ($id: ID!) { subscriptionContractDetails(contractId: $id) {
  contract { nextOrder { date } customerPaymentMethod { id } discounts(first: 1) { nodes { id } } }
  lines(first: 1) { nodes { id quantity } } billingCycles { nodes { cycleIndex billingAttemptExpectedDate } } } }`;
const BANGOR = `{ shipping: { firstName: "Ada", lastName: "Brewer", address1: "1 Main Street", city: "Bangor",
  provinceCode: "ME", zip: "04401", countryCode: US } }`;
const HOUR_MS = 3_600_000;

type Entry = Readonly<Record<'id' | 'action' | 'message', string>>;
type Change = {
  readonly event: Entry | null;
  readonly contract: { readonly events: { readonly nodes: readonly Entry[] } } | null;
  readonly userErrors: readonly unknown[];
};
// biome-ignore lint/suspicious/noExplicitAny: responses are read as the JSON they are.
type State = any;

const byIndex = (state: State, index: number) => state.billingCycles.nodes[index];
const later = (date: string, hours: number) => new Date(Date.parse(date) + hours * HOUR_MS).toISOString();

/** The arguments of each mutation besides the contract's id, in the order in which they can follow each other. */
const ARGUMENTS: Readonly<Record<string, (state: State) => string>> = {
  subscriptionBillingCycleSkip: (state) => `billingCycleIndex: ${byIndex(state, 3).cycleIndex}`,
  subscriptionBillingCycleReschedule(state) {
    const { cycleIndex, billingAttemptExpectedDate: date } = byIndex(state, 2);
    return `billingCycleIndex: ${cycleIndex}, billingDate: "${later(date, -1)}"`;
  },
  subscriptionContractLinesUpdate({ lines: { nodes } }) {
    return `update: [{ lineId: "${nodes[0].id}", quantity: ${nodes[0].quantity + 1} }]`;
  },
  subscriptionContractDiscountCodeApply: () => 'redeemCode: "WELCOME10"',
  subscriptionContractDiscountRemove: ({ contract }) => `discountId: "${contract.discounts.nodes[0].id}"`,
  subscriptionContractNoteUpdate: () => 'note: "Ring twice"',
  subscriptionContractDeliveryUpdate: () => `deliveryMethod: ${BANGOR}, optionCode: "express"`,
  subscriptionContractIntervalUpdate: () => 'interval: { interval: WEEK, intervalCount: 2 }',
  subscriptionOrderPostpone({ contract: { nextOrder } }) {
    return `expectedDate: "${nextOrder.date}", to: "${later(nextOrder.date, 48).slice(0, 10)}"`;
  },
  subscriptionOrderPostponementRevert: () => '',
  subscriptionContractPause: () => 'reason: "On holiday"',
  subscriptionContractActivate: () => '',
  subscriptionContractPaymentMethodUpdate: ({ contract }) =>
    `paymentMethodId: "${contract.customerPaymentMethod.id}"`,
  subscriptionOrderSendNow: ({ contract }) => `expectedDate: "${contract.nextOrder.date}"`,
  subscriptionBillingCycleCharge: (state) =>
    `billingCycleSelector: { index: ${byIndex(state, 4).cycleIndex} }`,
  subscriptionContractCancel: () => '',
};
/** The contract has this method already; the store does not send orders now, and charges no order so early. */
const UNCHANGED = [
  'subscriptionContractPaymentMethodUpdate',
  'subscriptionOrderSendNow',
  'subscriptionBillingCycleCharge',
];
const OF_STORES = ['subscriptionContractNoteUpdate', 'subscriptionBillingCycleCharge'];

describe('the event of a change', () => {
  let customer = '';
  let contractId = '';
  const send = async <Data>(as: 'customer' | 'admin', query: string, language = 'en') => {
    const bearer = as === 'customer' ? customer : stack.adminKey;
    const headers = { 'accept-language': language };
    const { body } = await ask(stack, as, { bearer, headers, query, variables: { id: contractId } });
    return (body as { readonly data: Data }).data;
  };

  beforeAll(async () => {
    // The customer's share of the store's usual points is less than these changes cost.
    await stack.control.throttle(stack.shop, { maximumAvailable: 20_000, restoreRate: 1000 });
    const tokens = await signIn(stack, 'carla@example.com');
    customer = tokens.accessToken;
    const list = `{ customer(id: "gid://platform/Customer/${tokens.customerId}") { subscriptionContracts(first: 25, reverse: true) { nodes { id nextOrder { date } } } } }`;
    const { customer: owner } = await send<State>('customer', list);
    contractId = owner.subscriptionContracts.nodes.find(({ nextOrder }: State) => nextOrder).id;
  });

  afterAll(() => stack.control.throttle(stack.shop, { maximumAvailable: 2000, restoreRate: 100 }));

  test('is tried for each mutation that records changes', () => {
    const names = Object.keys(getAdminSchema().getMutationType()?.getFields() ?? {});
    const recording = names.filter((name) => {
      const record = findMutation(name);
      return record?.kind === 'service' && record.recordsChanges === true;
    });
    expect(Object.keys(ARGUMENTS).sort()).toEqual(recording.sort());
  });

  test.each(Object.keys(ARGUMENTS))('is the entry of the timeline for %s', async (name) => {
    const as = OF_STORES.includes(name) ? 'admin' : 'customer';
    const { subscriptionContractDetails: state } = await send<State>('customer', STATE);
    const field = getAdminSchema().getMutationType()?.getFields()[name];
    const contract = field?.args.find(({ name: argument }) => /contractId$/i.test(argument))?.name;
    const args = `${contract}: $id ${ARGUMENTS[name]?.(state)}`;
    const document = (context: string) =>
      `mutation ($id: ID!) ${context} { change: ${name}(${args}) @idempotent(key: "${name}") { ${PAYLOAD} } }`;
    const { change } = await send<{ readonly change: Change }>(as, document(''));
    if (UNCHANGED.includes(name)) {
      expect(change.event).toBeNull();
      return;
    }
    expect(change).toMatchObject({ event: { outcome: 'DONE' }, userErrors: [] });
    expect(change.contract?.events.nodes).toEqual([change.event]);
    const again = await send<{ readonly change: Change }>(as, document('@inContext(language: DE)'));
    const { message = '', ...same } = again.change.event ?? {};
    expect(change.event).toMatchObject(same);
    expect(message).not.toBe(change.event?.message);
    expect(again.change.contract?.events.nodes).toEqual([again.change.event]);
  });
});
