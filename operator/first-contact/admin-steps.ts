/** The measurements of the Admin API. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { adminApiUrl } from '../../lib/platform/admin-api/admin-request.ts';
import { classifyAdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import type { BillingCycle } from '../../lib/subscriptions/cycles/billing-cycle.ts';
import { upcomingCyclesSelection } from '../../lib/subscriptions/interval/read-upcoming-cycles.ts';
import { deliveriesPerPayment } from '../../lib/subscriptions/selling-plans/frequency.ts';
import {
  createFinding,
  createNotMeasuredFinding,
  createSupportedFinding,
  formatFirstError,
  type MeasurementContext,
  type PlatformMeasurement,
} from './measurement.ts';

const EXPIRED_VERSION = '2020-01';

export const apiVersionMeasurement: PlatformMeasurement = {
  name: 'api-version',
  claim: 'Each answer names its version in X-Shopify-API-Version, also one in place of an expired version.',
  reliance: 'Another version raises the alarm api-version (lib/platform/admin-api/admin-client.ts).',
  async measure(context) {
    const currentVersion = context.target.platformApiVersion;
    const currentResponse = await sendInVersion(context, currentVersion);
    const expiredResponse = await sendInVersion(context, EXPIRED_VERSION);
    const observedTexts = [
      `${currentVersion}: status ${currentResponse.status}, answered by ${currentResponse.apiVersion ?? 'no version'}`,
      `${EXPIRED_VERSION}: status ${expiredResponse.status}, answered by ${expiredResponse.apiVersion ?? 'no version'}`,
    ];
    if (classifyAdminResponse(currentResponse).kind !== 'answered')
      return createNotMeasuredFinding('There was no answer.', observedTexts);
    if (currentResponse.apiVersion !== currentVersion)
      return createFinding(false, 'Another version answers.', observedTexts);
    return expiredResponse.status === 200 &&
      ![undefined, EXPIRED_VERSION].includes(expiredResponse.apiVersion)
      ? createFinding(true, `The oldest version that lives is ${expiredResponse.apiVersion}.`, observedTexts)
      : createFinding(false, 'An expired version is not answered by a named one that lives.', observedTexts);
  },
};

async function sendInVersion(
  { grants, sendAdminRequest, target, store }: MeasurementContext,
  version: string,
) {
  const { accessToken } = await grants.read(store);
  const body = JSON.stringify({ query: 'query FirstContactVersion { shop { id } }' });
  const url = adminApiUrl(target.platformOrigin, store.domain, version);
  return sendAdminRequest({ url, accessToken, body, timeoutMs: 10_000, freshConnection: true });
}

const NODE_COUNTS = [1, 10, 100];
/** Far above the ids that the platform has assigned. */
const FIRST_ABSENT_ID = 9_007_199_254_000_000;
const NODES_QUERY = `query FirstContactNodes($ids: [ID!]!) {
  nodes(ids: $ids) { ... on ProductVariant { id product { id } } }
}`;

export const nodesCostMeasurement: PlatformMeasurement = {
  name: 'nodes-cost',
  claim: '`nodes(ids:)` costs as often as there are ids.',
  reliance:
    'Documents are sized so that they can be sent in either case (lib/platform/admin-api/query-points.ts).',
  async measure(context) {
    const queryPoints: number[] = [];
    for (const nodeCount of NODE_COUNTS) queryPoints.push(await measureCostOfNodes(context, nodeCount));
    const observedTexts = NODE_COUNTS.map((count, index) => `${count} ids: ${queryPoints[index]} points`);
    const [pointsOfOneId = 0, , pointsOfHundredIds = 0] = queryPoints;
    if (pointsOfHundredIds === 100 * pointsOfOneId)
      return createFinding(true, `Each id costs ${pointsOfOneId}.`, observedTexts);
    if (pointsOfHundredIds === pointsOfOneId)
      return createSupportedFinding('It costs the same, however many ids.', observedTexts);
    const message = 'It grows with the ids, by another rule.';
    return pointsOfHundredIds < 100 * pointsOfOneId
      ? createSupportedFinding(message, observedTexts)
      : createFinding(false, message, observedTexts);
  },
};

async function measureCostOfNodes({ sendQuery, target }: MeasurementContext, count: number): Promise<number> {
  const variantGidPrefix = `gid://${target.platformGidNamespace}/ProductVariant/`;
  const ids = Array.from({ length: count }, (_, index) => `${variantGidPrefix}${FIRST_ABSENT_ID + index}`);
  try {
    return (await sendQuery(NODES_QUERY, { ids })).cost?.requestedQueryCost ?? Number.NaN;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'QUERY_TOO_COMPLEX') throw error;
    return Number(/cost is (\d+)/.exec(error.publicMessage)?.[1] ?? Number.POSITIVE_INFINITY);
  }
}

const DAY_MS = 86_400_000;
const OLD_ORDERS_SCOPE = 'read_all_orders';
const OLD_ORDERS_QUERY = `query FirstContactOldOrders($query: String!) {
  orders(first: 1, sortKey: CREATED_AT, query: $query) { nodes { id } }
  currentAppInstallation { accessScopes { handle } }
}`;
type OldOrdersResponse = {
  readonly orders?: { readonly nodes: readonly unknown[] } | null;
  readonly currentAppInstallation?: { readonly accessScopes: readonly { readonly handle: string }[] } | null;
};

export const oldOrdersMeasurement: PlatformMeasurement = {
  name: 'old-orders',
  claim: `Orders older than 60 days are hidden without ${OLD_ORDERS_SCOPE}, and visible with it.`,
  reliance:
    'Billed cycles are counted as orders, so that hidden orders count (lib/subscriptions/count-paid-orders.ts).',
  async measure({ sendQuery, now, contracts }) {
    const searchDate = new Date(now() - 61 * DAY_MS).toISOString().slice(0, 10);
    const { data, errors } = await sendQuery(OLD_ORDERS_QUERY, { query: `created_at:<'${searchDate}'` });
    const { orders, currentAppInstallation: app }: OldOrdersResponse = data ?? {};
    if (!orders || !app) return createNotMeasuredFinding(formatFirstError(errors));
    if (app.accessScopes.some(({ handle }) => handle === OLD_ORDERS_SCOPE))
      return createNotMeasuredFinding(`The grant has ${OLD_ORDERS_SCOPE}: measure with a grant without it.`);
    if (orders.nodes.length > 0) return createFinding(false, 'They are visible without it.');
    const oldContract = contracts.find(({ createdAt }) => createdAt < searchDate);
    return oldContract === undefined
      ? createNotMeasuredFinding(
          'Without it none is visible, but no contract was named that is known to be as old.',
        )
      : createFinding(
          true,
          `${oldContract.id} is of ${oldContract.createdAt.slice(0, 10)}, and its orders are hidden.`,
        );
  },
};

type CyclePage = { readonly nodes: readonly BillingCycle[] };
type CyclePagesResponse = { readonly _svcNear?: CyclePage | null; readonly _svcFar?: CyclePage | null };

export const cycleRangeMeasurement: PlatformMeasurement = {
  name: 'cycle-range',
  claim: 'The platform answers all billing cycles of the next 50 years.',
  reliance:
    'A change of the interval reads all cycles so (lib/subscriptions/interval/read-upcoming-cycles.ts).',
  async measure({ sendQuery, now, contracts: [contract] }) {
    if (contract === undefined)
      return createNotMeasuredFinding('Name a subscription of the store with --contract.');
    const { rootFields, declarations, variables } = upcomingCyclesSelection(now());
    const document = `query FirstContactCycles($_svcContractId: ID!, ${declarations.join(', ')}) { ${rootFields} }`;
    const { data, errors, cost } = await sendQuery(document, { ...variables, _svcContractId: contract.id });
    const { _svcNear: nearPage, _svcFar: farPage }: CyclePagesResponse = data ?? {};
    const pointsText = `asked for with ${cost?.requestedQueryCost ?? 'unknown'} points`;
    const [firstCycle, lastCycle] = [nearPage?.nodes[0], farPage?.nodes[0]];
    if (!firstCycle || !lastCycle)
      return createFinding(false, `The range is not answered. ${formatFirstError(errors)}`, [pointsText]);
    const rangeText = `${contract.id}: cycles ${firstCycle.cycleIndex} to ${lastCycle.cycleIndex}`;
    const cycleCount = lastCycle.cycleIndex - firstCycle.cycleIndex + 1;
    return createFinding(true, `${cycleCount} cycles are answered.`, [rangeText, pointsText]);
  },
};

export const prepaidPriceMeasurement: PlatformMeasurement = {
  name: 'prepaid-price',
  claim: 'The price of a PRICE policy is that of the whole payment, also for several deliveries.',
  reliance: 'Such a plan has no price, and cannot be chosen (lib/subscriptions/selling-plans/plan-price.ts).',
  async measure({ contracts }) {
    const [discountedOrder] = contracts.flatMap((contract) => {
      const discounts = contract.lines.nodes.flatMap(
        ({ pricingPolicy }) => pricingPolicy?.cycleDiscounts ?? [],
      );
      const discount = discounts.find(({ adjustmentType }) => adjustmentType === 'PRICE');
      const deliveries = deliveriesPerPayment(contract) ?? 1;
      return discount !== undefined && deliveries > 1 ? [{ contract, discount, deliveries }] : [];
    });
    if (discountedOrder === undefined)
      return createNotMeasuredFinding(
        'No contract was named that is billed every 3 months, delivered every month, under a price in place of a discount.',
      );
    const { contract, discount, deliveries } = discountedOrder;
    const price = Number(discount.adjustmentValue.amount);
    const computedPrice = Number(discount.computedPrice.amount);
    const linePrices = contract.lines.nodes.map(({ currentPrice }) => currentPrice.amount).join(', ');
    const observedTexts = [
      `${contract.id}: ${deliveries} deliveries in a payment, prices of its lines: ${linePrices}`,
      `the policy's price ${price}, computed ${computedPrice}`,
    ];
    if (price === computedPrice)
      return createFinding(true, 'The computed price is the policy’s.', observedTexts);
    return Math.abs(price * deliveries - computedPrice) < 0.005
      ? createSupportedFinding('It is that of each delivery.', observedTexts)
      : createSupportedFinding('It is neither that of the payment nor that of each delivery.', observedTexts);
  },
};
