/** The steps of a day on which the service charges the orders of the second store. They move the clock of the stack. */
import { type BillingCharge, paymentState, plainText } from '../../clients/typescript/src/client.ts';
import { type DemoRun, type DemoStep, expectEqualValues, UnexpectedResponse } from './demo-run.ts';
import { createQuietMerchantClient } from './run-client.ts';

export const billingSteps: readonly DemoStep[] = [
  {
    title: 'A merchant switches billing on; four customers have an order on the first day',
    run: startBilling,
  },
  { title: 'In the night before, the service counts the orders of the day', run: showPreview },
  { title: 'At the merchant’s hour, it charges them', run: awaitOutcomes },
  { title: 'The customer with the expired card enters a new one, and pays at once', run: enterCard },
  { title: 'The merchant switches billing off again', run: endBilling },
];

/** The four orders: the bank's answers, and the state of each charge at the end of the run. */
const DEMO_ORDERS = [
  { answers: ['PAYS'], state: 'CHARGED', outcome: 'is paid' },
  { answers: ['EXPIRED_CARD'], state: 'RETRYING', outcome: 'is declined, because the card has expired' },
  {
    answers: ['ACTION_REQUIRED'],
    state: 'ACTION_REQUIRED',
    outcome: 'waits until the customer confirms it at the bank',
  },
  {
    ...{ answers: ['INVOICE_ALREADY_PAID'], state: 'REPORTED' },
    outcome:
      'is reported: the bank says that it was paid, but the store has no order, so a person has to look',
  },
] as const;
const EXPIRED_ORDER_INDEX = 1;
const NEW_CARD_SESSION_ID = 'card-visa-1881-09-2031';
const CARD_MUTATION = `mutation ($id: ID!, $sessionId: String!, $address: MailingAddressInput!) {
  customerPaymentMethodCreditCardUpdate(id: $id, sessionId: $sessionId, billingAddress: $address) { userErrors { message } }
}`;
const DEMO_ADDRESS = { address1: '1 Main Street', city: 'London', countryCode: 'GB', zip: 'E1 6AN' };

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const MAX_MINUTES = 40;

type NewCustomers = { readonly customers: readonly { readonly id: number }[] };

async function sendControl<Answer>({ stack }: DemoRun, name: string, body: object): Promise<Answer> {
  const controlResponse = await fetch(`${stack.platformUrl}/_control/${name}`, {
    ...{ method: 'POST', body: JSON.stringify(body) },
  });
  if (!controlResponse.ok) throw new UnexpectedResponse(`${name}: ${await controlResponse.text()}`);
  return (await controlResponse.json()) as Answer;
}

const moveClock = (demoRun: DemoRun, nowMs: number) =>
  sendControl(demoRun, 'clock', { now: new Date(nowMs).toISOString() });

const contractNumberOf = (customerId: number) => 20_000_000 + customerId;

async function startBilling(demoRun: DemoRun): Promise<void> {
  const { show, saved } = demoRun;
  const { billing, shop } = createQuietMerchantClient(demoRun);
  // The service reads all contracts of a store in its first minutes.
  while ((await billing.settings()).obstacles.length > 0)
    await sendControl(demoRun, 'clock', { advance: 60 });
  const { settings } = await billing.update({ enabled: true });
  const runAtMs = Date.parse(`${settings?.nextRunAt}`);
  const { customers } = await sendControl<NewCustomers>(demoRun, 'seed', {
    shop,
    customers: DEMO_ORDERS.length,
  });
  const createdMs = runAtMs - 2 * HOUR_MS - WEEK_MS;
  const subscriptions = customers.map(({ id: customerId }) => ({
    ...{
      id: contractNumberOf(customerId),
      customerId,
      createdMs,
      planId: 830_200_101,
      lines: [[820_200_101, 1]],
    },
  }));
  await sendControl(demoRun, 'seed', { shop, subscriptions });
  for (const [index, { id: contractId }] of subscriptions.entries())
    await sendControl(demoRun, 'card', { shop, contractId, answers: DEMO_ORDERS[index]?.answers });
  saved.set('billedCustomers', customers.map(({ id }) => id).join());
  saved.set('runAt', `${settings?.nextRunAt}`);
  // The service learns of new subscriptions by webhooks.
  await sendControl(demoRun, 'clock', { advance: 120 });
  show.note(`Billing is on from ${settings?.startsOn} on. The first run begins at ${settings?.nextRunAt}.`);
}

const runTimeMs = ({ saved }: DemoRun) => Date.parse(`${saved.get('runAt')}`);
const readBilledCustomers = ({ saved }: DemoRun) => `${saved.get('billedCustomers')}`.split(',').map(Number);
const contractGidOf = (customerId: number) =>
  `gid://platform/SubscriptionContract/${contractNumberOf(customerId)}`;

async function showPreview(demoRun: DemoRun): Promise<void> {
  const { billing } = createQuietMerchantClient(demoRun);
  await moveClock(demoRun, runTimeMs(demoRun) - 4.5 * HOUR_MS);
  const { orderCount, totals } = await billing.preview({
    date: `${demoRun.saved.get('runAt')}`.slice(0, 10),
  });
  const sums = totals.map(({ amount, currencyCode }) => `${amount} ${currencyCode}`);
  demoRun.show.note(`${orderCount} orders would be charged, for ${sums.join(' and ')} together.`);
}

async function awaitOutcomes(demoRun: DemoRun): Promise<void> {
  await moveClock(demoRun, runTimeMs(demoRun) + 60_000);
  const charges = await waitUntil(demoRun, readCharges, (foundCharges) =>
    foundCharges.every((charge, index) => charge?.state === DEMO_ORDERS[index]?.state),
  );
  for (const [index, { outcome }] of DEMO_ORDERS.entries()) {
    const chargedAmount = charges[index]?.amount;
    const sum = chargedAmount ? `, ${chargedAmount.amount} ${chargedAmount.currencyCode}` : '';
    demoRun.show.note(`Order ${index + 1}${sum} ${outcome}.`);
  }
}

/** Returns the charges of the four orders. */
async function readCharges(demoRun: DemoRun): Promise<readonly (BillingCharge | undefined)[]> {
  const { billing } = createQuietMerchantClient(demoRun);
  const [newestRun] = (await billing.runs({ first: 1 })).nodes;
  const charges: BillingCharge[] = [];
  if (newestRun) for await (const charge of billing.run.all({ id: newestRun.id })) charges.push(charge);
  return readBilledCustomers(demoRun).map((id) =>
    charges.find(({ contractId }) => contractId === contractGidOf(id)),
  );
}

async function enterCard(demoRun: DemoRun): Promise<void> {
  const { show } = demoRun;
  const { forCustomer, request } = createQuietMerchantClient(demoRun);
  const customerId = readBilledCustomers(demoRun)[EXPIRED_ORDER_INDEX] ?? 0;
  const customer = forCustomer(`gid://platform/Customer/${customerId}`);
  const readPayment = async () =>
    (await paymentState(customer, { contractId: contractGidOf(customerId) })).payment;
  show.note(`The customer sees: “${plainText((await readPayment())?.message ?? '')}”`);
  const [paymentMethod] = (await customer.account.paymentMethods()).nodes;
  const cardVariables = { id: paymentMethod?.id, sessionId: NEW_CARD_SESSION_ID, address: DEMO_ADDRESS };
  const { data } = await request(CARD_MUTATION, cardVariables);
  expectEqualValues('userErrors', { customerPaymentMethodCreditCardUpdate: { userErrors: [] } }, data);
  await waitUntil(demoRun, readPayment, (payment) => payment?.status === 'PAID');
  show.note('The service has seen the new card, and the order is paid.');
}

/** Moves the clock minute by minute, so that the workers run, until the value is as expected. */
async function waitUntil<Value>(
  demoRun: DemoRun,
  read: (demoRun: DemoRun) => Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  for (let waitedMinutes = 0; ; waitedMinutes++) {
    const readValue = await read(demoRun);
    if (isDone(readValue)) return readValue;
    if (waitedMinutes === MAX_MINUTES) throw new UnexpectedResponse(`It stays ${JSON.stringify(readValue)}.`);
    await sendControl(demoRun, 'clock', { advance: 60 });
  }
}

async function endBilling(demoRun: DemoRun): Promise<void> {
  const { billing } = createQuietMerchantClient(demoRun);
  const { settings } = await billing.update({ enabled: false });
  expectEqualValues('status', 'OFF', settings?.status);
  demoRun.show.note(
    'Nothing more is charged. The order that waits for the bank is settled when the customer answers.',
  );
}
