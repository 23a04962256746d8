/**
 * Resolves `SubscriptionContract.payment` from the service's charges. The address where a customer confirms a payment is
 * read from the platform when it is selected, and neither stored nor logged.
 */
import { type PaymentView, presentPayment } from '../../lib/billing/payment/present-payment.ts';
import { readOrderChange } from '../../lib/billing/payment/read-order-change.ts';
import type { BillingCharge } from '../../lib/billing/records/charge-record.ts';
import { createBillingCharges } from '../../lib/billing/records/charges.ts';
import { createBillingRuns } from '../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../lib/billing/records/settings.ts';
import { isLatestRunOnHold, readBillingStatus } from '../../lib/billing/settings/read-billing-status.ts';
import { awaitAll } from '../../lib/domain/await-all.ts';
import { formatPlatformDate } from '../../lib/domain/instant.ts';
import { ignoreServiceError } from '../../lib/errors/ignore-service-error.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { Translate } from '../../lib/messages/translator.ts';
import { parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import type { ResolveServiceField, RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';

/** The maximum number of `payment` fields in one response. */
const MAX_PAYMENTS = 25;
const URL_FIELD = 'confirmationUrl';
const URL_DOCUMENT = `query ConfirmationUrls($ids: [ID!]!) { nodes(ids: $ids) { ... on SubscriptionBillingAttempt { id
  state { ... on SubscriptionBillingAttemptActionRequiredState { action {
    ... on SubscriptionBillingAttemptPaymentChallenge { nextActionUrl } } } } } } }`;

/** The orders after a declined one that are read. When all of them are skipped, the next order is too far ahead to matter. */
const LATER_ORDER_COUNT = 12;

/**
 * Returns the payment of each contract; null where the service does not bill. One table read for each contract, and one platform
 * request for all that are declined.
 */
export const resolvePayments: ResolveServiceField = async (context, tasks, { earlierTaskCount }) => {
  const paymentCount = earlierTaskCount + tasks.length;
  if (paymentCount > MAX_PAYMENTS) return tasks.map(() => createTooManyPaymentsError(paymentCount));
  const { store, table, now } = context;
  const statusDeps = { settings: createBillingSettings({ table, now }), now };
  const { status, storedSettings: settings } = await readBillingStatus(statusDeps, store);
  if (status === 'OFF') return tasks.map(() => null);
  const charges = createBillingCharges({ table, now, enqueueStore: async () => undefined });
  const chargesByTask = await awaitAll(
    tasks.map(({ parent }) => {
      const ref = parseContractRef(store.shopId, String(parent._svcContract));
      return ref === undefined ? [] : charges.listOfContract(ref);
    }),
  );
  const runs = createBillingRuns({ table, now });
  const declinedCharges = chargesByTask.map((one) => one.find(({ state }) => state === 'RETRYING'));
  const hasDeclinedCharge = declinedCharges.some((charge) => charge !== undefined);
  const isCharging =
    hasDeclinedCharge && status === 'ON' && !(await isLatestRunOnHold({ runs }, store.shopId));
  const [orderChanges, nextOrders] = isCharging
    ? await awaitAll([
        awaitAll(declinedCharges.map((charge) => charge && readOrderChange(context, charge))),
        readNextOrders(context, tasks, declinedCharges),
      ])
    : [[], undefined];
  const paymentViews = tasks.map(({ parent }, index) =>
    presentPayment(chargesByTask[index] ?? [], {
      ...{ nowMs: now(), settings, store, nextOrderAtMs: nextOrders?.[index] },
      orderChange: orderChanges[index],
      mayTry: nextOrders !== undefined && parent._svcStatus === 'ACTIVE',
    }),
  );
  const urls = await readConfirmationUrls(context, tasks, paymentViews);
  const translate = await context.loadTranslator();
  return paymentViews.map((view) => toPaymentValue(view, { translate, urls }));
};

/**
 * Reads when the order after each declined one is due, also if that time has passed and its run has not begun.
 * @returns epoch milliseconds for each task, undefined if no order follows; undefined when the orders cannot be read
 */
async function readNextOrders(
  { send, store, deadlineAtMs, identity }: RunContext,
  tasks: readonly ServiceTask[],
  declinedCharges: readonly (BillingCharge | undefined)[],
): Promise<readonly (number | undefined)[] | undefined> {
  const indexes = [...declinedCharges.keys()].filter((index) => declinedCharges[index] !== undefined);
  const declarations = indexes.map(
    (index) => `$c${index}: ID!, $r${index}: SubscriptionBillingCyclesIndexRangeSelector!`,
  );
  const rootFields = indexes.map(
    (
      index,
    ) => `c${index}: subscriptionBillingCycles(contractId: $c${index}, billingCyclesIndexRangeSelector: $r${index},
      first: ${LATER_ORDER_COUNT}) { nodes { billingAttemptExpectedDate skipped status } }`,
  );
  const variables = indexes.flatMap((index) => {
    const startIndex = (declinedCharges[index]?.cycleIndex ?? 0) + 1;
    const range = { startIndex, endIndex: startIndex + LATER_ORDER_COUNT - 1 };
    return [[`c${index}`, String(tasks[index]?.parent._svcContract)] as const, [`r${index}`, range] as const];
  });
  const request = {
    ...{ store, document: `query LaterOrders(${declarations.join(', ')}) { ${rootFields.join(' ')} }` },
    ...{ variables: Object.fromEntries(variables), mutates: false, deadlineAtMs },
    ...{ callerNamespaces: identity.namespaces, costKey: `later orders ${indexes.length}` },
  };
  const response = await ignoreServiceError(() => send(request));
  const data = response?.data ?? null;
  if (data === null || response?.errors.length !== 0) return undefined;
  return tasks.map((_, index) => {
    const page = data[`c${index}`] as { readonly nodes: readonly LaterOrder[] } | null | undefined;
    const unpaidOrders = page?.nodes.filter(({ skipped, status }) => !skipped && status !== 'BILLED') ?? [];
    const dates = unpaidOrders.map(({ billingAttemptExpectedDate: date }) => Date.parse(date));
    return dates.length === 0 ? undefined : Math.min(...dates);
  });
}

type LaterOrder = {
  readonly billingAttemptExpectedDate: string;
  readonly skipped: boolean;
  readonly status: string;
};

function createTooManyPaymentsError(actual: number): ServiceError {
  const message = `The response has ${actual} fields "payment", but the limit is ${MAX_PAYMENTS}. Request fewer contracts at a time.`;
  return new ServiceError('QUERY_TOO_COMPLEX', { message });
}

type ConfirmationUrls = ReadonlyMap<string, string>;

/** Reads the addresses for the selected payments that wait for their customers, by attempt. */
async function readConfirmationUrls(
  { send, store, deadlineAtMs, identity }: RunContext,
  tasks: readonly ServiceTask[],
  views: readonly PaymentView[],
): Promise<ConfirmationUrls> {
  const ids = views.flatMap(({ charge }, index) => {
    const isUrlSelected =
      tasks[index]?.field.selection?.fields.some(({ name }) => name === URL_FIELD) === true;
    return isUrlSelected && isWaitingForCustomer(charge) ? [charge.attemptId] : [];
  });
  if (ids.length === 0) return new Map();
  const { data } = await send({
    ...{ store, document: URL_DOCUMENT, variables: { ids: [...new Set(ids)] }, mutates: false },
    ...{ callerNamespaces: identity.namespaces, deadlineAtMs, costKey: URL_DOCUMENT },
  });
  const attemptNodes = (data?.nodes ?? []) as readonly (AttemptToConfirm | null)[];
  return new Map(
    attemptNodes.flatMap((node) => {
      const url = node?.state?.action?.nextActionUrl;
      return node === null || url === undefined ? [] : [[node.id, url] as const];
    }),
  );
}

type AttemptToConfirm = {
  readonly id: string;
  readonly state: { readonly action?: { readonly nextActionUrl?: string } } | null;
};

function isWaitingForCustomer(
  charge: BillingCharge | undefined,
): charge is BillingCharge & { readonly attemptId: string } {
  return charge?.state === 'ACTION_REQUIRED' && charge.attemptId !== undefined;
}

type PaymentTexts = { readonly translate: Translate; readonly urls: ConfirmationUrls };

function toPaymentValue(view: PaymentView, { translate, urls }: PaymentTexts) {
  const { status, charge, nextTryMs, messages, canUpdateMethod, canRetry } = view;
  return {
    ...{ status, canUpdateMethod, canRetry },
    cycleIndex: charge?.cycleIndex ?? null,
    date: formatPlatformDate(charge?.expectedAtMs),
    message: messages.length === 0 ? null : messages.map((one) => translate(one)).join(' '),
    nextTryAt: formatPlatformDate(nextTryMs),
    [URL_FIELD]: urls.get(charge?.attemptId ?? '') ?? null,
  };
}
