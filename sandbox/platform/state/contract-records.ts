/** Records of subscriptions: contracts, their schedule and edits, drafts, billing attempts and orders. */
import type { BillingPolicy, FrequencyPolicy } from './catalogue-records.ts';
import type { AddressRecord, OutcomeStep } from './customer-records.ts';

export type CustomAttribute = { key: string; value: string };

export type CycleDiscount = {
  adjustmentType: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';
  adjustmentValue: number;
  afterCycle: number;
  computedPriceMinor: number;
};

export type LineRecord = {
  id: string;
  productId: number | null;
  variantId: number | null;
  title: string;
  variantTitle: string | null;
  sku: string | null;
  asset: string | null;
  /** The pieces in each delivery. */
  quantity: number;
  /** The price of one piece, for all deliveries of a payment. */
  currentPriceMinor: number;
  requiresShipping: boolean;
  taxable: boolean;
  sellingPlanId: number | null;
  sellingPlanName: string | null;
  customAttributes: CustomAttribute[];
  /** The base price is for one delivery; each computed price is for a complete payment. */
  pricingPolicy: { basePriceMinor: number; cycleDiscounts: CycleDiscount[] } | null;
  originContractId: number | null;
};

/** A discount on a contract or draft. Only a code's discount has a `redeemCode`. */
export type DiscountRecord = {
  id: string;
  title: string | null;
  type: 'MANUAL' | 'CODE_DISCOUNT' | 'AUTOMATIC_DISCOUNT';
  targetType: 'LINE_ITEM' | 'SHIPPING_LINE';
  value: { percentage: number } | { amountMinor: number; appliesOnEachItem: boolean };
  /** Null for all lines. */
  lineIds: string[] | null;
  recurringCycleLimit: number | null;
  usageCount: number;
  redeemCode: string | null;
  rejectionReason: string | null;
};

export type DeliveryMethod =
  | { kind: 'shipping'; address: AddressRecord; option: DeliveryChoice }
  | {
      kind: 'localDelivery';
      address: AddressRecord;
      option: DeliveryChoice & { phone: string; instructions: string | null };
    }
  | { kind: 'pickup'; locationId: number; option: DeliveryChoice };

export type DeliveryChoice = {
  code: string | null;
  title: string | null;
  presentmentTitle: string | null;
  description: string | null;
};

export type ContractStatus = 'ACTIVE' | 'CANCELLED' | 'EXPIRED' | 'FAILED' | 'PAUSED';

/** The common content of contracts, drafts and edited contracts of one cycle: everything that a draft can change. */
export type ContractContent = {
  customerId: number;
  paymentMethodId: string | null;
  currencyCode: string;
  status: ContractStatus;
  nextBillingDate: string | null;
  billingPolicy: BillingPolicy;
  deliveryPolicy: FrequencyPolicy;
  deliveryMethod: DeliveryMethod | null;
  /** The price of delivery for one payment. */
  deliveryPriceMinor: number;
  note: string | null;
  customAttributes: CustomAttribute[];
  lines: LineRecord[];
  discounts: DiscountRecord[];
};

/** The policy from cycle `fromIndex`, which starts at `startAt`. */
export type ScheduleSegment = {
  fromIndex: number;
  startAt: string;
  policy: FrequencyPolicy;
  /**
   * Whether the segment's second cycle has no length: it ends when it starts. Merchants report such cycles for policies
   * with several anchors.
   */
  hasEmptyCycle?: boolean;
};

export type EditedContract = {
  content: ContractContent;
  createdAt: string;
  updatedAt: string;
  concatenated: { contractId: number; cycleIndex: number }[];
};

export type CycleEdit = { skipped: boolean; billingDate: string | null; contract: EditedContract | null };

export type ContractRecord = {
  __typename: 'SubscriptionContract';
  id: number;
  createdAt: string;
  updatedAt: string;
  revisionId: number;
  originOrderId: number | null;
  lastPaymentStatus: 'FAILED' | 'SUCCEEDED' | null;
  lastBillingAttemptErrorType: 'CUSTOMER_ERROR' | 'INVENTORY_ERROR' | 'OTHER' | 'PAYMENT_ERROR' | null;
  content: ContractContent;
  schedule: ScheduleSegment[];
  /** The indices of charged cycles. */
  billedCycles: number[];
  /** The edits by cycle index. */
  cycleEdits: Record<string, CycleEdit>;
  /** The script of the contract's charges. */
  outcomes?: OutcomeStep[];
};

/** An open or committed draft of a contract, of a new contract, or of one cycle's contract. */
export type DraftRecord = {
  __typename: 'SubscriptionDraft';
  id: number;
  contractId: number | null;
  cycleIndex: number | null;
  /** The contract's revision when the draft was opened. */
  baseRevision: number | null;
  committed: boolean;
  /** Whether a billing policy was set, perhaps the one that the contract has. */
  setsBillingPolicy?: boolean;
  content: ContractContent;
  previousDiscount: ContractContent | null;
  linesRemoved: LineRecord[];
  discountsRemoved: DiscountRecord[];
  concatenated: { contractId: number; cycleIndex: number }[];
  /** The addresses and goods with requested delivery options: the first response is always "pending". */
  deliveryOptionsRequested: string[];
  createdAt: string;
};

/** The part of a contract that decides the total of an order. */
export type PricedContent = Pick<ContractContent, 'deliveryPriceMinor' | 'discounts' | 'lines'>;

export type AttemptRecord = {
  __typename: 'SubscriptionBillingAttempt';
  id: number;
  contractId: number;
  cycleIndex: number;
  idempotencyKey: string;
  createdAt: string;
  completedAt: string | null;
  /** The customer has to confirm the payment: the attempt continues when the card no longer requires it. */
  isChallenged?: boolean;
  /** The customer has opened the page that asks for the confirmation. */
  isOpened?: boolean;
  /** How long the customer can confirm; undefined for the store's setting when the confirmation begins. */
  confirmSeconds?: number | undefined;
  /** When the attempt ends if the customer has not confirmed; null for never. */
  expiresAt?: string | null;
  /** The variants without enough stock. */
  shortVariantIds?: number[];
  /** The bank's response to this attempt. Without it the card's response applies when the attempt is settled. */
  answer?: string | undefined;
  /** The content that the bank has to pay, as it was when the attempt was made; undefined once the attempt has ended. */
  priced?: PricedContent | undefined;
  originTime: string | null;
  orderId: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  respectInventoryPolicy: boolean;
  /** The attempt is pending until this instant; the next request after it settles it. */
  settleAt: string;
  /** Creates an unpaid order instead of failing when the payment is declined. */
  allowUnpaid: boolean;
};

export type OrderLineRecord = {
  id: number;
  title: string;
  variantTitle: string | null;
  sku: string | null;
  productId: number | null;
  variantId: number | null;
  asset: string | null;
  /** The pieces in all deliveries of the payment. */
  quantity: number;
  /** The price of the whole quantity, before discounts. */
  priceMinor: number;
  discountMinor: number;
  requiresShipping: boolean;
  taxable: boolean;
  sellingPlanId: number | null;
  sellingPlanName: string | null;
  customAttributes: CustomAttribute[];
};

export type OrderRecord = {
  __typename: 'Order';
  id: number;
  number: number;
  contractId: number | null;
  cycleIndex: number | null;
  customerId: number | null;
  currencyCode: string;
  createdAt: string;
  updatedAt: string;
  note: string | null;
  tags: string[];
  customAttributes: CustomAttribute[];
  lines: OrderLineRecord[];
  shippingMinor: number;
  shippingTitle: string | null;
  shippingAddress: AddressRecord | null;
  paid: boolean;
  /** The due dates of its deliveries, with one fulfilment order for each. */
  deliveriesDue: string[];
  /** The number of sent deliveries, earliest first. */
  deliveriesSent: number;
  discountCodes: string[];
  transactionId: number;
};
