/** Polls the platform for the delivery options of an address, which it computes in the background. */
import { ServiceError } from '../../errors/service-error.ts';
import { message } from '../../messages/message.ts';
import { isDenied, type PlatformError } from '../../platform/admin-api/admin-answer.ts';
import {
  type DeliveryOption,
  deliveryOptions,
  type OptionsResult,
} from '../../platform/admin-api/delivery-options.ts';
import { unanswered } from '../../platform/admin-api/missing-access.ts';
import type { OpenedDraft, Refusal } from '../draft/draft-operation.ts';
import type { OperationDeps } from '../operation.ts';
import { refuse } from '../operation-error.ts';
import type { DeliveryInput } from './delivery-input.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
/** Time for change and commit, which follow the options. */
const RESERVE_MS = 6_000;
/** How long a change waits for options that it does not depend on. */
const OPTIONAL_WAIT_MS = 5_000;

type Poll = {
  readonly draft: OpenedDraft;
  readonly address: unknown;
  readonly requested: Pick<DeliveryInput, 'kind'>;
};
type Failure = { readonly failure: PlatformError };

/**
 * Returns the options of an open draft: `denied` when the platform does not grant access to them.
 * @throws PLATFORM_UNAVAILABLE when they are still pending at the end of the request, or the platform fails to return
 * them
 */
export async function awaitOptions(
  deps: OperationDeps,
  poll: Poll,
): Promise<NonNullable<OptionsResult> | 'denied'> {
  const result = await pollOptions(deps, poll, leftMsOf(deps));
  if (result === null) throw stillPending();
  if (result !== 'denied' && 'failure' in result) throw unanswered('delivery options', [result.failure]);
  return result;
}

/**
 * Returns the options of an open draft; empty when the platform has none for the address.
 * @returns undefined when the platform does not return them within 5 seconds, or at all
 * @throws PLATFORM_UNAVAILABLE when the request has less time than that; otherwise a client could skip the options by
 * leaving no time for them
 */
export async function optionsInTime(
  deps: OperationDeps,
  poll: Poll,
): Promise<readonly DeliveryOption[] | undefined> {
  const leftMs = leftMsOf(deps);
  const result = await pollOptions(deps, poll, Math.min(leftMs, OPTIONAL_WAIT_MS));
  if (result === null && leftMs < OPTIONAL_WAIT_MS) throw stillPending();
  if (result === null || result === 'denied' || 'failure' in result) return undefined;
  return 'deliveryOptions' in result ? result.deliveryOptions : [];
}

function leftMsOf({ deadlineAtMs, now }: OperationDeps): number {
  return deadlineAtMs - RESERVE_MS - now();
}

function stillPending(): ServiceError {
  const internal = 'delivery options are pending';
  return new ServiceError('PLATFORM_UNAVAILABLE', { internal, retryAfterSeconds: 5 });
}

/** Polls until there is a result, or null when the platform still computes it at the end of the budget. */
async function pollOptions(
  { ask, wait, now }: OperationDeps,
  { draft, address, requested }: Poll,
  budgetMs: number,
): Promise<OptionsResult | 'denied' | Failure> {
  const document = `query($_svcDraftId: ID!, $_svcAddress: MailingAddressInput) {
    subscriptionDraft(id: $_svcDraftId) { ${deliveryOptions(requested)} }
  }`;
  const endsAtMs = now() + budgetMs;
  let result = resultOf(draft.data.deliveryOptions as OptionsResult, draft.errors);
  let leftMs = budgetMs;
  for (let waitMs = FIRST_WAIT_MS; result === null; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    leftMs = Math.min(leftMs, endsAtMs - now());
    if (leftMs <= FIRST_WAIT_MS) return null;
    const pauseMs = Math.min(waitMs, leftMs);
    leftMs -= pauseMs;
    await wait(pauseMs);
    const variables = { _svcDraftId: draft.id, _svcAddress: address };
    const { data, errors } = await ask({ document, variables, mutates: false });
    const again = data?.subscriptionDraft as { readonly deliveryOptions: OptionsResult } | null | undefined;
    if (!again) throw unanswered('the draft is gone', errors);
    result = resultOf(again.deliveryOptions, errors);
  }
  return result;
}

/** After null with an error, every further poll returns the same. */
function resultOf(
  result: OptionsResult,
  errors: readonly PlatformError[],
): OptionsResult | 'denied' | Failure {
  const failure = errors.find(({ path }) => path?.includes('deliveryOptions'));
  if (result !== null || failure === undefined) return result;
  return isDenied(failure) ? 'denied' : { failure };
}

/** The type of the options of each kind. */
export const TYPES = {
  shipping: 'SubscriptionShippingOption',
  localDelivery: 'SubscriptionLocalDeliveryOption',
  pickup: 'SubscriptionPickupOption',
} as const;

export type PricedOption = DeliveryOption & { readonly price: NonNullable<DeliveryOption['price']> };

/** Whether the price of the option is known. */
export function hasPrice(option: DeliveryOption): option is PricedOption {
  return option.price !== null;
}

/** The options of the requested kind, and at the requested place, whose price is known. */
export function optionsOfKind(options: readonly DeliveryOption[], requested: DeliveryInput): PricedOption[] {
  return options
    .filter(hasPrice)
    .filter(
      ({ __typename, location }) =>
        __typename === TYPES[requested.kind] &&
        (requested.kind !== 'pickup' || location?.id === requested.locationId),
    );
}

/**
 * Returns the option with that code, or without a code the only option.
 * @returns undefined when the client has to choose
 */
export function choose(options: readonly PricedOption[], code: string | undefined): PricedOption | undefined {
  if (code !== undefined) return options.find((option) => option.code === code);
  return options.length === 1 ? options[0] : undefined;
}

/** The options in the shape of the schema's SubscriptionDeliveryOptionChoice. */
function choicesOf(options: readonly PricedOption[]) {
  return options.map(({ code, title, presentmentTitle, price }) => ({
    code,
    title: presentmentTitle ?? title,
    price,
  }));
}

type ChoiceText = 'deliverySeveralWays' | 'deliveryWayUnknown' | 'deliveryWayGone';

/** Returns the refusal that lists the options to choose from. */
export function optionRequired(options: readonly PricedOption[], text: ChoiceText): Refusal {
  const deliveryOptions = choicesOf(options);
  const ways = deliveryOptions.map(({ title, price }) => message('deliveryWay', { title, price }));
  const fault = { field: ['optionCode'], message: message(text, { ways }) };
  const userErrors = [refuse('DELIVERY_OPTION_REQUIRED', fault)];
  return { kind: 'refused', userErrors, locals: { deliveryOptions } };
}
