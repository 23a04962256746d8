/**
 * Resolves the delivery options for a draft's address, with the store's rates for the draft's lines. As on the
 * platform, the first response for an address is null, which means pending; so is the first one after a change of the
 * lines.
 */
import type { DeliveryRate } from '../../../state/catalogue-records.ts';
import type { DraftRecord } from '../../../state/contract-records.ts';
import type { AddressContent } from '../../../state/customer-records.ts';
import { listApplicableRates, sumGoods } from '../../../state/delivery-rates.ts';
import type { AdminContext } from '../../context.ts';
import { toMoneyV2 } from '../../money.ts';
import { type AddressInput, parseAddressInput } from './address-input.ts';

type DeliveryOptionsArgs = { deliveryAddress?: AddressInput | null };

const NO_OPTION_MESSAGE = 'No delivery option for this address.';

const OPTION_TYPENAMES = {
  shipping: 'SubscriptionShippingOption',
  localDelivery: 'SubscriptionLocalDeliveryOption',
  pickup: 'SubscriptionPickupOption',
};

/**
 * Returns null at the first call, then the options; a failure when there is none, or the store does not ship to the
 * country.
 */
export function resolveDeliveryOptions(draft: DraftRecord, args: DeliveryOptionsArgs, context: AdminContext) {
  const addressOrError = resolveDeliveryAddress(draft, { args, field: 'deliveryOptions' }, context);
  if (addressOrError === null) return null;
  if (typeof addressOrError === 'string')
    return { __typename: 'SubscriptionDeliveryOptionResultFailure', message: addressOrError };
  const { store } = context;
  // Only in the store's own town there are a courier and something to pick up.
  const isInStoreCity = addressOrError.city?.toLowerCase() === store.city.toLowerCase();
  const deliveryRates = listApplicableRates(store, sumGoods(draft.content, store), addressOrError);
  const [firstLocation] = store.locations.values();
  const deliveryOptions = deliveryRates
    .filter(({ kind }) => isInStoreCity || kind === 'shipping')
    .map((rate) => ({
      ...toOptionView(rate, draft.content.currencyCode),
      __typename: OPTION_TYPENAMES[rate.kind],
      ...(rate.kind === 'localDelivery' && { phoneRequired: true }),
      ...(rate.kind === 'pickup' && { location: firstLocation, pickupTime: 'TWENTY_FOUR_HOURS' }),
    }));
  return deliveryOptions.length === 0
    ? { __typename: 'SubscriptionDeliveryOptionResultFailure', message: NO_OPTION_MESSAGE }
    : { __typename: 'SubscriptionDeliveryOptionResultSuccess', deliveryOptions };
}

/** Resolves the deprecated field, which has shipping options only. */
export function resolveShippingOptions(draft: DraftRecord, args: DeliveryOptionsArgs, context: AdminContext) {
  const addressOrError = resolveDeliveryAddress(draft, { args, field: 'shippingOptions' }, context);
  if (addressOrError === null) return null;
  if (typeof addressOrError === 'string')
    return { __typename: 'SubscriptionShippingOptionResultFailure', message: addressOrError };
  const { store } = context;
  const shippingOptions = listApplicableRates(store, sumGoods(draft.content, store), addressOrError)
    .filter(({ kind }) => kind === 'shipping')
    .map((rate) => toOptionView(rate, draft.content.currencyCode));
  return { __typename: 'SubscriptionShippingOptionResultSuccess', shippingOptions: shippingOptions };
}

const REQUIRED_ADDRESS_FIELDS = ['address1', 'city', 'zip', 'provinceCode', 'countryCodeV2'] as const;

type DeliveryOptionsRequest = { args: DeliveryOptionsArgs; field: string };

/** Returns the delivery address, the message of a failure, or null while the options are pending. */
function resolveDeliveryAddress(
  draft: DraftRecord,
  { args, field }: DeliveryOptionsRequest,
  { store }: AdminContext,
): AddressContent | string | null {
  const deliveryMethod = draft.content.deliveryMethod;
  const methodAddress =
    deliveryMethod === null || deliveryMethod.kind === 'pickup' ? null : deliveryMethod.address;
  const { content, problem } =
    args.deliveryAddress == null
      ? { content: methodAddress, problem: null }
      : parseAddressInput(args.deliveryAddress, null);
  if (content === null) return problem?.message ?? 'A delivery address is required.';
  const { amountMinor, grams } = sumGoods(draft.content, store);
  const requestKey = `${field}:${[...REQUIRED_ADDRESS_FIELDS.map((addressField) => content[addressField] ?? ''), amountMinor, grams].join('|')}`;
  if (!draft.deliveryOptionsRequested.includes(requestKey)) {
    draft.deliveryOptionsRequested.push(requestKey);
    return null;
  }
  if (!store.shipsToCountries.includes(content.countryCodeV2 ?? '')) return NO_OPTION_MESSAGE;
  return content;
}

function toOptionView({ code, title, description, priceMinor }: DeliveryRate, currencyCode: string) {
  return {
    code,
    title,
    presentmentTitle: title,
    description,
    phoneRequired: false,
    price: toMoneyV2(priceMinor, currencyCode),
    carrierService: null,
  };
}
