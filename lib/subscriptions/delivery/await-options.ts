/** The platform is asked for the ways of delivery to an address until it has found them out. */
import { ServiceError } from '../../errors/service-error.ts';
import { isDenied, type PlatformError } from '../../platform/admin-api/admin-answer.ts';
import {
  type DeliveryOption,
  deliveryOptions,
  type OptionsResult,
} from '../../platform/admin-api/delivery-options.ts';
import { unanswered } from '../../platform/admin-api/missing-access.ts';
import type { OpenedDraft } from '../draft/draft-operation.ts';
import type { OperationDeps } from '../operation.ts';
import type { DeliveryInput } from './delivery-input.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
/** Change and commit come after the options. */
const RESERVE_MS = 6_000;

type Poll = { readonly draft: OpenedDraft; readonly address: unknown; readonly requested: DeliveryInput };

/**
 * The options of an open draft: what its opening answered, or what one request more each time does, with waits between
 * them; `denied` if the platform keeps them from this app. PLATFORM_UNAVAILABLE: they are still pending when the time
 * for them is over, or the platform failed to tell them.
 */
export async function awaitOptions(
  { ask, wait, now, deadlineAtMs }: OperationDeps,
  { draft, address, requested }: Poll,
): Promise<NonNullable<OptionsResult> | 'denied'> {
  const document = `query($_svcDraftId: ID!, $_svcAddress: MailingAddressInput) {
    subscriptionDraft(id: $_svcDraftId) { ${deliveryOptions(requested)} }
  }`;
  let result = told(draft.data.deliveryOptions as OptionsResult, draft.errors);
  let leftMs = deadlineAtMs - RESERVE_MS - now();
  for (let waitMs = FIRST_WAIT_MS; result === null; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    leftMs = Math.min(leftMs - waitMs, deadlineAtMs - RESERVE_MS - now() - waitMs);
    if (leftMs < 0) {
      throw new ServiceError('PLATFORM_UNAVAILABLE', {
        internal: 'delivery options are pending',
        retryAfterSeconds: 5,
      });
    }
    await wait(waitMs);
    const variables = { _svcDraftId: draft.id, _svcAddress: address };
    const { data, errors } = await ask({ document, variables, mutates: false });
    const again = data?.subscriptionDraft as { readonly deliveryOptions: OptionsResult } | null | undefined;
    if (!again) throw unanswered('the draft is gone', errors);
    result = told(again.deliveryOptions, errors);
  }
  return result;
}

/** After null with an error no answer comes: who asks again hears the same. */
function told(result: OptionsResult, errors: readonly PlatformError[]): OptionsResult | 'denied' {
  const failed = errors.find(({ path }) => path?.includes('deliveryOptions'));
  if (result !== null || failed === undefined) return result;
  if (isDenied(failed)) return 'denied';
  throw unanswered('delivery options', [failed]);
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

/** The option of that code; without a code the only one there is. Undefined: the client has to choose. */
export function choose(options: readonly PricedOption[], code: string | undefined): PricedOption | undefined {
  if (code !== undefined) return options.find((option) => option.code === code);
  return options.length === 1 ? options[0] : undefined;
}

/** The options in the shape of the schema's SubscriptionDeliveryOptionChoice. */
export function choicesOf(options: readonly PricedOption[]) {
  return options.map(({ code, title, presentmentTitle, price }) => ({
    code,
    title: presentmentTitle ?? title,
    price,
  }));
}
