/** Polls the platform for the delivery options of an address. The platform computes them in the background. */
import { ServiceError } from '../../errors/service-error.ts';
import { message } from '../../messages/message.ts';
import { isAccessDenied, type PlatformError } from '../../platform/admin-api/admin-response.ts';
import {
  type DeliveryOption,
  type DeliveryOptionsResult,
  writeDeliveryOptionsSelection,
} from '../../platform/admin-api/delivery-options.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import type { DraftOperationRefusal, OpenedDraft } from '../draft/draft-operation.ts';
import type { OperationDeps } from '../operation.ts';
import { createUserError } from '../operation-error.ts';
import type { DeliveryInput } from './delivery-input.ts';

const FIRST_POLL_WAIT_MS = 250;
const MAX_POLL_WAIT_MS = 2_000;
/** The time at the end of a request that polling must leave for changing and committing the draft. */
const TIME_RESERVED_FOR_COMMIT_MS = 6_000;
/** How long a change waits for delivery options if it can continue without them. */
const MAX_OPTIONAL_POLL_MS = 5_000;

type OptionsPoll = {
  readonly draft: OpenedDraft;
  readonly address: unknown;
  readonly requested: Pick<DeliveryInput, 'kind'>;
};
type PollFailure = { readonly failure: PlatformError };

/**
 * Polls for the options of an open draft. Returns `denied` when the store has not granted access to them.
 * @throws PLATFORM_UNAVAILABLE when the platform fails to compute them, or has not finished near the end of the request
 */
export async function pollDeliveryOptions(
  deps: OperationDeps,
  poll: OptionsPoll,
): Promise<NonNullable<DeliveryOptionsResult> | 'denied'> {
  const optionsResult = await pollUntilOptions(deps, poll, pollingTimeLeftMs(deps));
  if (optionsResult === null) throw optionsPendingError();
  if (optionsResult !== 'denied' && 'failure' in optionsResult)
    throw failedReadError('delivery options', [optionsResult.failure]);
  return optionsResult;
}

/**
 * Polls for the options of an open draft, for at most 5 seconds. Returns an empty list when the platform has none for
 * the address.
 * @returns undefined when the platform has not returned them by then, or cannot return them
 * @throws PLATFORM_UNAVAILABLE when less than 5 seconds of the request are left: a client could otherwise skip the
 * check of the options by using up the time
 */
export async function pollDeliveryOptionsBriefly(
  deps: OperationDeps,
  poll: OptionsPoll,
): Promise<readonly DeliveryOption[] | undefined> {
  const leftMs = pollingTimeLeftMs(deps);
  const optionsResult = await pollUntilOptions(deps, poll, Math.min(leftMs, MAX_OPTIONAL_POLL_MS));
  if (optionsResult === null && leftMs < MAX_OPTIONAL_POLL_MS) throw optionsPendingError();
  if (optionsResult === null || optionsResult === 'denied' || 'failure' in optionsResult) return undefined;
  return 'deliveryOptions' in optionsResult ? optionsResult.deliveryOptions : [];
}

function pollingTimeLeftMs({ deadlineAtMs, now }: OperationDeps): number {
  return deadlineAtMs - TIME_RESERVED_FOR_COMMIT_MS - now();
}

function optionsPendingError(): ServiceError {
  const internal = 'delivery options are pending';
  return new ServiceError('PLATFORM_UNAVAILABLE', { internal, retryAfterSeconds: 5 });
}

/**
 * Polls until the platform returns a result.
 * @returns null when the platform still computes the options at the end of the time budget
 */
async function pollUntilOptions(
  { sendToPlatform, wait, now }: OperationDeps,
  { draft, address, requested }: OptionsPoll,
  budgetMs: number,
): Promise<DeliveryOptionsResult | 'denied' | PollFailure> {
  const document = `query($_svcDraftId: ID!, $_svcAddress: MailingAddressInput) {
    subscriptionDraft(id: $_svcDraftId) { ${writeDeliveryOptionsSelection(requested)} }
  }`;
  const pollingEndsAtMs = now() + budgetMs;
  let pollResult = toPollResult(draft.selectedFields.deliveryOptions as DeliveryOptionsResult, draft.errors);
  let leftMs = budgetMs;
  for (
    let waitMs = FIRST_POLL_WAIT_MS;
    pollResult === null;
    waitMs = Math.min(waitMs * 2, MAX_POLL_WAIT_MS)
  ) {
    leftMs = Math.min(leftMs, pollingEndsAtMs - now());
    if (leftMs <= FIRST_POLL_WAIT_MS) return null;
    const pauseMs = Math.min(waitMs, leftMs);
    leftMs -= pauseMs;
    await wait(pauseMs);
    const variables = { _svcDraftId: draft.id, _svcAddress: address };
    const { data, errors } = await sendToPlatform({ document, variables, mutates: false });
    const draftAfterPoll = data?.subscriptionDraft as
      | { readonly deliveryOptions: DeliveryOptionsResult }
      | null
      | undefined;
    if (!draftAfterPoll) throw failedReadError('the draft is gone', errors);
    pollResult = toPollResult(draftAfterPoll.deliveryOptions, errors);
  }
  return pollResult;
}

/**
 * Converts the options and the errors of one response. Options that are null without an error are still being
 * computed. Null with an error is a failure: the platform has finished, and further polls would return the same.
 */
function toPollResult(
  result: DeliveryOptionsResult,
  errors: readonly PlatformError[],
): DeliveryOptionsResult | 'denied' | PollFailure {
  const optionsError = errors.find(({ path }) => path?.includes('deliveryOptions'));
  if (result !== null || optionsError === undefined) return result;
  return isAccessDenied(optionsError) ? 'denied' : { failure: optionsError };
}

/** The platform's GraphQL type of a delivery option, by the kind of delivery. */
export const OPTION_TYPES_BY_KIND = {
  shipping: 'SubscriptionShippingOption',
  localDelivery: 'SubscriptionLocalDeliveryOption',
  pickup: 'SubscriptionPickupOption',
} as const;

export type PricedOption = DeliveryOption & { readonly price: NonNullable<DeliveryOption['price']> };

/** Whether the platform returned a price for the option. */
export function hasOptionPrice(option: DeliveryOption): option is PricedOption {
  return option.price !== null;
}

/** Returns the priced options of the requested kind. For a pickup, only those of the requested location. */
export function listPricedOptions(
  options: readonly DeliveryOption[],
  requested: DeliveryInput,
): PricedOption[] {
  return options
    .filter(hasOptionPrice)
    .filter(
      ({ __typename, location }) =>
        __typename === OPTION_TYPES_BY_KIND[requested.kind] &&
        (requested.kind !== 'pickup' || location?.id === requested.locationId),
    );
}

/**
 * Returns the option with the code that the client sent. Without a code, returns the only option.
 * @returns undefined when the client has to choose, or no option has the code
 */
export function chooseDeliveryOption(
  options: readonly PricedOption[],
  code: string | undefined,
): PricedOption | undefined {
  if (code !== undefined) return options.find((option) => option.code === code);
  return options.length === 1 ? options[0] : undefined;
}

/** Returns the options as values of the schema's type SubscriptionDeliveryOptionChoice. */
function toOptionChoices(options: readonly PricedOption[]) {
  return options.map(({ code, title, presentmentTitle, price }) => ({
    code,
    title: presentmentTitle ?? title,
    price,
  }));
}

type OptionChoiceMessageKey = 'deliverySeveralWays' | 'deliveryWayUnknown' | 'deliveryWayGone';

/** Builds the refusal DELIVERY_OPTION_REQUIRED, which lists the options that the client can choose from. */
export function createOptionRequiredRefusal(
  options: readonly PricedOption[],
  messageKey: OptionChoiceMessageKey,
): DraftOperationRefusal {
  const deliveryOptions = toOptionChoices(options);
  const optionMessages = deliveryOptions.map(({ title, price }) => message('deliveryWay', { title, price }));
  const fieldAndMessage = { field: ['optionCode'], message: message(messageKey, { ways: optionMessages }) };
  const userErrors = [createUserError('DELIVERY_OPTION_REQUIRED', fieldAndMessage)];
  return { kind: 'refused', userErrors, locals: { deliveryOptions } };
}
