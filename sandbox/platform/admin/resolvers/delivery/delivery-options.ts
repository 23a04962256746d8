/**
 * What a draft's address can be delivered by, at the store's rates for the draft's lines. As on the platform the first
 * answer for an address is null, which means pending; so it is after a change of the lines.
 */
import type { DeliveryRate } from '../../../state/catalogue-records.ts';
import type { DraftRecord } from '../../../state/contract-records.ts';
import type { AddressContent } from '../../../state/customer-records.ts';
import { goodsOf, ratesFor } from '../../../state/delivery-rates.ts';
import type { AdminContext } from '../../context.ts';
import { moneyV2 } from '../../money.ts';
import { type AddressInput, addressContent } from './address-input.ts';

type DeliveryOptionsArgs = { deliveryAddress?: AddressInput | null };

const noOption = 'No delivery option for this address.';

const optionTypes = {
  shipping: 'SubscriptionShippingOption',
  localDelivery: 'SubscriptionLocalDeliveryOption',
  pickup: 'SubscriptionPickupOption',
};

/** The options are null the first time, then there; it is a failure if there is none, or the country is not shipped to. */
export function deliveryOptions(draft: DraftRecord, args: DeliveryOptionsArgs, context: AdminContext) {
  const outcome = resolveDeliveryAddress(draft, { args, field: 'deliveryOptions' }, context);
  if (outcome === null) return null;
  if (typeof outcome === 'string')
    return { __typename: 'SubscriptionDeliveryOptionResultFailure', message: outcome };
  const { store } = context;
  // Only in the store's own town there are a courier and something to pick up.
  const isNear = outcome.city?.toLowerCase() === store.city.toLowerCase();
  const rates = ratesFor(store, goodsOf(draft.content, store), outcome);
  const [location] = store.locations.values();
  const options = rates
    .filter(({ kind }) => isNear || kind === 'shipping')
    .map((rate) => ({
      ...optionView(rate, draft.content.currencyCode),
      __typename: optionTypes[rate.kind],
      ...(rate.kind === 'localDelivery' && { phoneRequired: true }),
      ...(rate.kind === 'pickup' && { location, pickupTime: 'TWENTY_FOUR_HOURS' }),
    }));
  return options.length === 0
    ? { __typename: 'SubscriptionDeliveryOptionResultFailure', message: noOption }
    : { __typename: 'SubscriptionDeliveryOptionResultSuccess', deliveryOptions: options };
}

/** The older form: post only. */
export function shippingOptions(draft: DraftRecord, args: DeliveryOptionsArgs, context: AdminContext) {
  const outcome = resolveDeliveryAddress(draft, { args, field: 'shippingOptions' }, context);
  if (outcome === null) return null;
  if (typeof outcome === 'string')
    return { __typename: 'SubscriptionShippingOptionResultFailure', message: outcome };
  const { store } = context;
  const options = ratesFor(store, goodsOf(draft.content, store), outcome)
    .filter(({ kind }) => kind === 'shipping')
    .map((rate) => optionView(rate, draft.content.currencyCode));
  return { __typename: 'SubscriptionShippingOptionResultSuccess', shippingOptions: options };
}

const addressParts = ['address1', 'city', 'zip', 'provinceCode', 'countryCodeV2'] as const;

type OptionsQuestion = { args: DeliveryOptionsArgs; field: string };

/** The address to deliver to, a message why not, or null while it is being found out. */
function resolveDeliveryAddress(
  draft: DraftRecord,
  { args, field }: OptionsQuestion,
  { store }: AdminContext,
): AddressContent | string | null {
  const method = draft.content.deliveryMethod;
  const own = method === null || method.kind === 'pickup' ? null : method.address;
  const { content, problem } =
    args.deliveryAddress == null
      ? { content: own, problem: null }
      : addressContent(args.deliveryAddress, null);
  if (content === null) return problem?.message ?? 'A delivery address is required.';
  const { minor, grams } = goodsOf(draft.content, store);
  const key = `${field}:${[...addressParts.map((part) => content[part] ?? ''), minor, grams].join('|')}`;
  if (!draft.deliveryOptionsRequested.includes(key)) {
    draft.deliveryOptionsRequested.push(key);
    return null;
  }
  if (!store.shipsToCountries.includes(content.countryCodeV2 ?? '')) return noOption;
  return content;
}

function optionView({ code, title, description, priceMinor }: DeliveryRate, currencyCode: string) {
  return {
    code,
    title,
    presentmentTitle: title,
    description,
    phoneRequired: false,
    price: moneyV2(priceMinor, currencyCode),
    carrierService: null,
  };
}
