/** What a draft's address can be delivered by. As on the platform the first answer for an address is null: pending. */
import type { DraftRecord } from '../../../state/contract-records.ts';
import type { AddressContent } from '../../../state/customer-records.ts';
import type { AdminContext } from '../../context.ts';
import { moneyV2 } from '../../money.ts';
import { type AddressInput, addressContent } from './address-input.ts';

type Priced = { code: string; title: string; description: string; priceMinor: number };

const byPost: Priced[] = [
  { code: 'standard', title: 'Standard', description: '3 to 5 working days', priceMinor: 490 },
  { code: 'express', title: 'Express', description: 'Next working day', priceMinor: 990 },
];
const byCourier: Priced = {
  code: 'local',
  title: 'Harbour courier',
  description: 'Same day, by bicycle',
  priceMinor: 250,
};

type Args = { deliveryAddress?: AddressInput | null };

/** The options are null the first time, then there; a country that is not shipped to is a failure. */
export function deliveryOptions(draft: DraftRecord, args: Args, context: AdminContext) {
  const outcome = answered(draft, { args, field: 'deliveryOptions' }, context);
  if (outcome === null) return null;
  if (typeof outcome === 'string')
    return { __typename: 'SubscriptionDeliveryOptionResultFailure', message: outcome };
  const { currencyCode } = draft.content;
  const options = byPost.map((option) => ({
    ...shown(option, currencyCode),
    __typename: 'SubscriptionShippingOption',
  }));
  if (outcome.city?.toLowerCase() !== context.store.city.toLowerCase()) {
    return { __typename: 'SubscriptionDeliveryOptionResultSuccess', deliveryOptions: options };
  }
  const [location] = context.store.locations.values();
  const local = {
    ...shown(byCourier, currencyCode),
    __typename: 'SubscriptionLocalDeliveryOption',
    phoneRequired: true,
  };
  const pickup = {
    ...shown(
      { code: 'pickup', title: 'Pick up', description: 'Ready in a day', priceMinor: 0 },
      currencyCode,
    ),
    __typename: 'SubscriptionPickupOption',
    location,
    pickupTime: 'TWENTY_FOUR_HOURS',
  };
  return {
    __typename: 'SubscriptionDeliveryOptionResultSuccess',
    deliveryOptions: [...options, local, pickup],
  };
}

/** The older form: post only. */
export function shippingOptions(draft: DraftRecord, args: Args, context: AdminContext) {
  const outcome = answered(draft, { args, field: 'shippingOptions' }, context);
  if (outcome === null) return null;
  if (typeof outcome === 'string')
    return { __typename: 'SubscriptionShippingOptionResultFailure', message: outcome };
  const options = byPost.map((option) => shown(option, draft.content.currencyCode));
  return { __typename: 'SubscriptionShippingOptionResultSuccess', shippingOptions: options };
}

type Question = { args: Args; field: string };

/** The address to deliver to, a message why not, or null while it is being found out. */
function answered(
  draft: DraftRecord,
  { args, field }: Question,
  { store }: AdminContext,
): AddressContent | string | null {
  const method = draft.content.deliveryMethod;
  const own = method === null || method.kind === 'pickup' ? null : method.address;
  const { content, problem } =
    args.deliveryAddress == null
      ? { content: own, problem: null }
      : addressContent(args.deliveryAddress, null);
  if (content === null) return problem?.message ?? 'A delivery address is required.';
  const key = `${field}:${['address1', 'city', 'zip', 'provinceCode', 'countryCodeV2'].map((part) => content[part as keyof AddressContent] ?? '').join('|')}`;
  if (!draft.deliveryOptionsAsked.includes(key)) {
    draft.deliveryOptionsAsked.push(key);
    return null;
  }
  if (!store.shipsToCountries.includes(content.countryCodeV2 ?? ''))
    return 'No delivery option for this address.';
  return content;
}

function shown({ code, title, description, priceMinor }: Priced, currencyCode: string) {
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
