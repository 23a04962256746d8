/** Updates everything in a draft except lines and discounts: policies, delivery, payment, note, status, next date. */
import type { BillingPolicy, FrequencyPolicy } from '../../../state/catalogue-records.ts';
import type {
  ContractContent,
  ContractStatus,
  CustomAttribute,
  DraftRecord,
} from '../../../state/contract-records.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidTail } from '../../gid.ts';
import { toMinorUnits } from '../../money.ts';
import { createUserError, isUserError, type UserError } from '../../user-error.ts';
import {
  type AnchorInput,
  doAnchorDaysExist,
  doAnchorsFitInterval,
  parseAnchors,
} from '../catalogue/policies.ts';
import { type DeliveryMethodInput, parseDeliveryMethod } from '../delivery/delivery-input.ts';
import { changeDraft } from './draft-lookup.ts';

type PolicyInput = Pick<FrequencyPolicy, 'interval' | 'intervalCount'> & { anchors?: AnchorInput[] | null };

export type DraftInput = {
  billingPolicy?: (PolicyInput & { minCycles?: number | null; maxCycles?: number | null }) | null;
  deliveryPolicy?: PolicyInput | null;
  customAttributes?: CustomAttribute[] | null;
  deliveryMethod?: DeliveryMethodInput | null;
  deliveryPrice?: string | null;
  nextBillingDate?: string | null;
  note?: string | null;
  paymentMethodId?: string | null;
  status?: ContractStatus | null;
};

const MAX_NOTE_LENGTH = 5000;

/** Applies the input to the content, completely or not at all. */
export function applyDraftInput(
  content: ContractContent,
  input: DraftInput,
  context: AdminContext,
): UserError | null {
  const inputProblem =
    findPolicyProblem(input) ??
    findPaymentMethodProblem(content, input, context) ??
    findNoteDateOrPriceProblem(input, context);
  if (inputProblem !== null) return inputProblem;
  if (input.deliveryMethod != null) {
    const method = parseDeliveryMethod(input.deliveryMethod, content, context);
    if (isUserError(method)) return method;
    content.deliveryMethod = method;
  }
  if (input.billingPolicy != null) content.billingPolicy = toBillingPolicy(input.billingPolicy);
  if (input.deliveryPolicy != null) content.deliveryPolicy = toFrequencyPolicy(input.deliveryPolicy);
  if (input.customAttributes != null) content.customAttributes = input.customAttributes;
  if (input.deliveryPrice != null)
    content.deliveryPriceMinor = toMinorUnits(input.deliveryPrice, content.currencyCode);
  if (input.nextBillingDate != null) content.nextBillingDate = input.nextBillingDate;
  if (input.note !== undefined) content.note = input.note;
  if (input.paymentMethodId != null)
    content.paymentMethodId = requireGidTail(input.paymentMethodId, 'CustomerPaymentMethod');
  if (input.status != null) content.status = input.status;
  return null;
}

function toFrequencyPolicy({ interval, intervalCount, anchors }: PolicyInput): FrequencyPolicy {
  return { interval, intervalCount, anchors: parseAnchors(anchors) };
}

/** A policy is replaced completely: cycle limits that the input omits are removed. */
function toBillingPolicy(input: NonNullable<DraftInput['billingPolicy']>): BillingPolicy {
  return {
    ...toFrequencyPolicy(input),
    minCycles: input.minCycles ?? null,
    maxCycles: input.maxCycles ?? null,
  };
}

function findPolicyProblem({ billingPolicy, deliveryPolicy }: DraftInput): UserError | null {
  for (const [policyName, policyInput] of Object.entries({ billingPolicy, deliveryPolicy })) {
    if (policyInput != null && policyInput.intervalCount < 1) {
      return createUserError(
        ['input', policyName, 'intervalCount'],
        'Interval count must be greater than 0',
        'GREATER_THAN',
      );
    }
  }
  for (const [name, policy] of Object.entries({ billingPolicy, deliveryPolicy })) {
    const anchors = policy?.anchors ?? [];
    if (policy == null || (doAnchorsFitInterval(policy.interval, anchors) && doAnchorDaysExist(anchors)))
      continue;
    const message = 'Anchors must be days of the type that belongs to the interval';
    return createUserError(['input', name, 'anchors'], message, 'INVALID');
  }
  const { minCycles, maxCycles } = billingPolicy ?? {};
  if (minCycles != null && maxCycles != null && maxCycles <= minCycles) {
    const code = 'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES';
    return createUserError(
      ['input', 'billingPolicy', 'maxCycles'],
      'Max cycles must be greater than min cycles',
      code,
    );
  }
  return null;
}

function findPaymentMethodProblem(
  content: ContractContent,
  { paymentMethodId }: DraftInput,
  { store }: AdminContext,
): UserError | null {
  if (paymentMethodId == null) return null;
  const fieldPath = ['input', 'paymentMethodId'];
  const methodRecord = store.paymentMethods.get(requireGidTail(paymentMethodId, 'CustomerPaymentMethod'));
  if (methodRecord === undefined || methodRecord.revokedAt !== null) {
    return createUserError(
      fieldPath,
      'Customer payment method does not exist',
      'MISSING_CUSTOMER_PAYMENT_METHOD',
    );
  }
  if (methodRecord.customerId === content.customerId) return null;
  return createUserError(fieldPath, 'The payment method belongs to another customer', 'CUSTOMER_MISMATCH');
}

function findNoteDateOrPriceProblem(
  { note, nextBillingDate, deliveryPrice }: DraftInput,
  { nowMs }: AdminContext,
): UserError | null {
  if ((note?.length ?? 0) > MAX_NOTE_LENGTH) {
    return createUserError(
      ['input', 'note'],
      `Note is too long (maximum is ${MAX_NOTE_LENGTH} characters)`,
      'INVALID_NOTE_LENGTH',
    );
  }
  if (nextBillingDate != null && Date.parse(nextBillingDate) < nowMs) {
    return createUserError(
      ['input', 'nextBillingDate'],
      'Next billing date cannot be in the past',
      'INVALID_BILLING_DATE',
    );
  }
  if (deliveryPrice != null && Number(deliveryPrice) < 0) {
    return createUserError(
      ['input', 'deliveryPrice'],
      'Delivery price must be greater than or equal to 0',
      'GREATER_THAN_OR_EQUAL_TO',
    );
  }
  return null;
}

/** Returns the problem when the contract of one cycle gets an interval: it keeps that of its subscription. */
function findCycleDraftProblem(
  { cycleIndex }: DraftRecord,
  { billingPolicy, deliveryPolicy }: DraftInput,
): UserError | null {
  if (cycleIndex === null) return null;
  const createRefusal = (name: string, code: string) =>
    createUserError(['input', name], `The ${name} cannot be updated for billing cycle contract drafts`, code);
  if (billingPolicy != null)
    return createRefusal('billingPolicy', 'BILLING_CYCLE_CONTRACT_DRAFT_BILLING_POLICY_INVALID');
  if (deliveryPolicy != null)
    return createRefusal('deliveryPolicy', 'BILLING_CYCLE_CONTRACT_DRAFT_DELIVERY_POLICY_INVALID');
  return null;
}

function resolveDraftUpdate(
  _parent: unknown,
  args: { draftId: string; input: DraftInput },
  context: AdminContext,
) {
  return changeDraft(args.draftId, context, (draft) => {
    const problem =
      findCycleDraftProblem(draft, args.input) ?? applyDraftInput(draft.content, args.input, context);
    if (problem === null && args.input.billingPolicy != null) draft.setsBillingPolicy = true;
    return problem ?? {};
  });
}

export const draftUpdateResolvers: ResolverMap = {
  Mutation: { subscriptionDraftUpdate: resolveDraftUpdate },
};
