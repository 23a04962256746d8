/** The bodies of webhooks, as the platform documents them: hints, without lines, dates or `updated_at`. */
import { formatGid } from '../admin/gid.ts';
import { findCycleByIndex } from '../state/billing-cycles.ts';
import type { AttemptRecord, ContractRecord } from '../state/contract-records.ts';
import type { PaymentMethodRecord } from '../state/customer-records.ts';
import { formatIsoInstant } from '../state/instant.ts';
import type { StoreState } from '../state/state.ts';

export type WebhookPayload = Readonly<Record<string, unknown>>;

export function createContractPayload({
  id,
  content,
  originOrderId,
  revisionId,
}: ContractRecord): WebhookPayload {
  const { billingPolicy, deliveryPolicy } = content;
  return {
    admin_graphql_api_id: formatGid('SubscriptionContract', id),
    id,
    billing_policy: {
      interval: billingPolicy.interval.toLowerCase(),
      interval_count: billingPolicy.intervalCount,
      min_cycles: billingPolicy.minCycles,
      max_cycles: billingPolicy.maxCycles,
    },
    currency_code: content.currencyCode,
    customer_id: content.customerId,
    admin_graphql_api_customer_id: formatGid('Customer', content.customerId),
    delivery_policy: {
      interval: deliveryPolicy.interval.toLowerCase(),
      interval_count: deliveryPolicy.intervalCount,
    },
    status: content.status.toLowerCase(),
    admin_graphql_api_origin_order_id: originOrderId === null ? null : formatGid('Order', originOrderId),
    origin_order_id: originOrderId,
    revision_id: String(revisionId),
  };
}

export function createCyclePayload(contract: ContractRecord, index: number): WebhookPayload {
  const cycle = findCycleByIndex(contract, index);
  const formatIso = (ms: number | undefined) => (ms === undefined ? null : formatIsoInstant(ms));
  return {
    subscription_contract_id: contract.id,
    cycle_start_at: formatIso(cycle?.startMs),
    cycle_end_at: formatIso(cycle?.endMs),
    cycle_index: index,
    contract_edit: null,
    billing_attempt_expected_date: formatIso(cycle?.expectedMs),
    skipped: cycle?.skipped ?? false,
    edited: cycle?.edited ?? false,
  };
}

export function createAttemptPayload(attempt: AttemptRecord): WebhookPayload {
  const { id, contractId, orderId } = attempt;
  return {
    id,
    admin_graphql_api_id: formatGid('SubscriptionBillingAttempt', id),
    idempotency_key: attempt.idempotencyKey,
    order_id: orderId,
    admin_graphql_api_order_id: orderId === null ? null : formatGid('Order', orderId),
    subscription_contract_id: contractId,
    admin_graphql_api_subscription_contract_id: formatGid('SubscriptionContract', contractId),
    ready: attempt.completedAt !== null,
    error_message: attempt.errorMessage,
    error_code: attempt.errorCode?.toLowerCase() ?? null,
  };
}

export function createPaymentMethodPayload({
  id,
  customerId,
  instrument,
}: PaymentMethodRecord): WebhookPayload {
  const isCreditCard = instrument.__typename === 'CustomerCreditCard';
  return {
    admin_graphql_api_id: formatGid('CustomerPaymentMethod', id),
    token: id,
    customer_id: customerId,
    admin_graphql_api_customer_id: formatGid('Customer', customerId),
    instrument_type: isCreditCard ? 'credit_card' : 'paypal_billing_agreement',
    payment_instrument: isCreditCard
      ? {
          last_digits: instrument.lastDigits,
          month: instrument.expiryMonth,
          year: instrument.expiryYear,
          name: instrument.name,
          brand: instrument.brand,
        }
      : {},
    resource_type: 'customer_payment_method',
  };
}

type ShopFacts = Pick<StoreState, 'currencyCode' | 'email' | 'ianaTimezone' | 'name' | 'shop' | 'shopId'>;

export function createShopPayload({
  shop,
  shopId,
  name,
  email,
  currencyCode,
  ianaTimezone,
}: ShopFacts): WebhookPayload {
  return {
    id: shopId,
    name,
    email,
    domain: shop,
    myshopify_domain: shop,
    currency: currencyCode,
    iana_timezone: ianaTimezone,
  };
}
