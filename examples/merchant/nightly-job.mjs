/**
 * Charges the orders that are due, and tries declined ones again: SERVICE_URL=… ADMIN_KEY=… node nightly-job.mjs.
 * You can restart a job that was killed, and two jobs at the same time charge each order only once.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { createMerchantClient, isServiceError } from 'subscription-management-client';

const {
  SERVICE_URL: serviceUrl,
  ADMIN_KEY: adminKey,
  NOTIFIED_FILE: notifiedFile = 'notified.txt',
  DEADLINE_MS: deadlineMs = '60000',
  STACK_CLOCK,
} = process.env;
// Only a rehearsal with `npm start` has another clock than the machine's.
const aheadMs = STACK_CLOCK ? Date.parse((await (await fetch(STACK_CLOCK)).json()).now) - Date.now() : 0;
const now = () => Date.now() + aheadMs;
const merchant = createMerchantClient({
  ...{ serviceUrl, adminKey, environment: { now } },
  // The time for all attempts and waits of one call.
  deadlineMs: Number(deadlineMs),
});
const today = new Date(now()).toISOString().slice(0, 10);

const DAY_MS = 86_400_000;
const MAX_ATTEMPTS = 10;
const GIVE_UP_DAYS = 21;
const list = (codes) => codes.split(/\s+/);
/** Another payment method, and another card of the same one. */
const NEW_PAYMENT = ['customerPaymentMethod', 'customerPaymentMethod.instrument'];
/** By class of decline: the days from each attempt to the next, and who is notified. A code without a class is LATER. */
const CLASSES = {
  LATER: { retryDays: [3, 4, 7], codes: [] },
  CONFIRM: {
    ...{ retryDays: [3, 4, 7], notifies: 'customer' },
    codes: list(`AUTHENTICATION_REQUIRED AUTHENTICATION_FAILED OFF_SESSION_REJECTED CONFIRMATION_REJECTED
      EXPIRED_BUYER_ACTION CANCELLED_PAYMENT CALL_ISSUER`),
  },
  NEW_CARD: {
    ...{ retryDays: [], notifies: 'customer' },
    codes: list(`BUYER_CANCELED_PAYMENT_METHOD CARD_NUMBER_INCORRECT EXPIRED_CARD EXPIRED_PAYMENT_METHOD
      INCORRECT_ADDRESS INCORRECT_CVC INCORRECT_NUMBER INCORRECT_PIN INCORRECT_ZIP INVALID_BILLING_ADDRESS
      INVALID_CURRENCY INVALID_CUSTOMER_BILLING_AGREEMENT INVALID_CVC INVALID_EXPIRY_DATE INVALID_NUMBER
      INVALID_PAYMENT_METHOD INVALID_PURCHASE_TYPE INVALID_SHIPPING_ADDRESS PAYMENT_METHOD_NOT_FOUND
      PAYMENT_METHOD_NOT_SPECIFIED PAYMENT_METHOD_UNSUPPORTED PURCHASE_TYPE_NOT_SUPPORTED`),
  },
  STORE: {
    ...{ retryDays: new Array(MAX_ATTEMPTS - 1).fill(1), notifies: 'merchant' },
    codes: list(`INSUFFICIENT_INVENTORY INVENTORY_ALLOCATIONS_NOT_FOUND MERCHANT_ACCOUNT_ERROR MERCHANT_RULE
      PAYMENT_PROVIDER_IS_NOT_ENABLED PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG TEST_MODE
      NON_TEST_ORDER_LIMIT_REACHED AMOUNT_TOO_SMALL AMOUNT_TOO_LARGE INVALID_AMOUNT INVALID_REQUEST
      FREE_GIFT_CARD_NOT_ALLOWED CUSTOMER_INVALID`),
  },
  NEVER: {
    ...{ retryDays: [], notifies: 'merchant' },
    codes: list('FRAUD_SUSPECTED RETRY_DECLINED CUSTOMER_NOT_FOUND'),
  },
  PAID: { retryDays: [], notifies: 'merchant', codes: list('INVOICE_ALREADY_PAID') },
};
const NEXT = 'query Next($id: ID!) { subscriptionContract(id: $id) { nextBillingDate nextOrder { date } } }';
const MOVE = `mutation Move($id: ID!, $date: DateTime!, $idempotencyKey: String!) {
  subscriptionContractSetNextBillingDate(contractId: $id, date: $date) @idempotent(key: $idempotencyKey) {
    userErrors { message } } }`;

const counts = { charged: 0, refused: 0, failed: 0 };
let failuresInARow = 0;
// One notice per line. Store the notices in your database instead if the job does not always run on the same machine.
const notified = new Set((await readFile(notifiedFile, 'utf8').catch(() => '')).split('\n'));

for await (const order of merchant.orders.due({ lookBackDays: 3 })) {
  await attempt(order, () => moveNextBillingDate(order.contractId));
  await attempt(order, () => charge(order, 0));
}
for await (const order of merchant.orders.due({ declined: true, lookBackDays: 28 }))
  await attempt(order, () => follow(order));
console.log(JSON.stringify(counts));
// The scheduler runs the job again.
if (counts.failed > 0) process.exitCode = 1;

/** The key is the same for all jobs that have seen the same attempts, so the card is charged once. */
async function charge({ contractId, cycleIndex, date: expectedDate }, attempts) {
  const attemptKey = `${contractId.split('/').at(-1)}-${cycleIndex}-${attempts}`;
  await merchant.orders.charge({ contractId, cycleIndex, attemptKey, expectedDate });
  failuresInARow = 0;
  counts.charged++;
}

/** Decides what happens next to an order that was tried and is not paid. */
async function follow(order) {
  const { attempts, changedFields } = order;
  const last = attempts.at(-1);
  const isOld = now() - Date.parse(order.date) > GIVE_UP_DAYS * DAY_MS;
  if (last.outcome === 'ACTION_REQUIRED')
    await notify('customer', 'CONFIRM', order, { url: last.nextActionUrl });
  if (last.outcome !== 'DECLINED') return isOld ? notify('merchant', 'STILL_OPEN', order) : undefined;
  const name = Object.keys(CLASSES).find((one) => CLASSES[one].codes.includes(last.errorCode)) ?? 'LATER';
  const { retryDays, notifies } = CLASSES[name];
  const reasons = [...NEW_PAYMENT, ...(name === 'NEW_CARD' ? ['deliveryMethod'] : [])];
  const hasActed = changedFields.some((field) => reasons.includes(field));
  const waitDays = retryDays[attempts.length - 1] ?? Infinity;
  // Half a day less, because an attempt ends minutes after that night's job starts.
  const isTime = !isOld && now() - Date.parse(last.completedAt) > (waitDays - 0.5) * DAY_MS;
  // Notify before the charge: STORE is retried every night, so a later notice would wait for the tenth attempt.
  if (name === 'STORE') await notify(notifies, name, order, { code: last.errorCode });
  if (name !== 'PAID' && attempts.length < MAX_ATTEMPTS && (hasActed || isTime))
    return charge(order, attempts.length);
  if (notifies) await notify(notifies, name, order, { code: last.errorCode });
  if (isOld || (retryDays.length > 0 && waitDays === Infinity)) await notify('merchant', 'GIVEN_UP', order);
}

/**
 * Notifies a person once for each attempt, or, for STORE, once for each order. Call your mailer here. Send `url` to the
 * customer only, and never log it.
 */
async function notify(recipient, why, order, { url, ...more } = {}) {
  const { attempts, contractId, date } = order;
  const notice = `${why} ${(why === 'STORE' ? attempts[0] : attempts.at(-1)).id}`;
  if (notified.has(notice)) return;
  const notMailed = why === 'NEW_CARD' ? await mailNewCard(order) : undefined;
  console.log(JSON.stringify({ notify: recipient, why, contractId, date, ...more, notMailed }));
  notified.add(notice);
  // Appended: a job that runs at the same time adds its own lines.
  await appendFile(notifiedFile, `${notice}\n`);
}

/** Has the platform e-mail the link for a new card. @returns why it sent none: then notify the customer yourself. */
async function mailNewCard({ customerId, paymentMethodId }) {
  if (!customerId || !paymentMethodId) return 'The platform shows no customer or no payment method.';
  // One e-mail a day serves all orders on this card: with the same key the service sends no second one.
  const idempotencyKey = `new-card-${paymentMethodId.split('/').at(-1)}-${today}`;
  try {
    await merchant
      .forCustomer(customerId)
      .account.sendPaymentMethodEmail({ paymentMethodId }, { idempotencyKey });
  } catch (error) {
    if (!isServiceError(error, 'USER_ERRORS')) throw error;
    return error.message;
  }
}

/** Sets `nextBillingDate` before the charge: a job that is killed in between still finds the order by its cycle. */
async function moveNextBillingDate(id) {
  const { subscriptionContract: contract } = (await merchant.request(NEXT, { id })).data;
  const date = contract?.nextOrder?.date;
  if (date && Date.parse(date) !== Date.parse(contract.nextBillingDate ?? ''))
    await merchant.request(MOVE, { id, date });
}

/** A failure affects this order only. Five failures without a charge in between end the job. */
async function attempt(order, work) {
  try {
    await work();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    console.error(`${order.contractId}, ${order.date}: ${error.code} ${error.message}`);
    const isRefused = isServiceError(error, 'USER_ERRORS');
    if (isRefused) counts.refused++;
    else counts.failed++;
    if (!isRefused && ++failuresInARow === 5) throw error;
  }
}
