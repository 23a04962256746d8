/** The delivery prices of the emulated store: of each option, for the contract's lines and address. */
import type { DeliveryRate } from '../../../sandbox/platform/state/catalogue-records.ts';
import type { ContractContent } from '../../../sandbox/platform/state/contract-records.ts';
import type { AddressContent } from '../../../sandbox/platform/state/customer-records.ts';
import type { StoreState } from '../../../sandbox/platform/state/state.ts';

const SEED_PRICES = { standard: 490, express: 990, local: 250, pickup: 0 };
const SEED_GRAMS = 250;

/** Prices in minor units, by code; empty where the store does not deliver. */
export function deliveryOptionPrices(
  store: StoreState,
  content: ContractContent,
): ReadonlyMap<string, number> {
  const address = addressOf(store, content);
  if (address === undefined || !store.shipsToCountries.includes(address.countryCodeV2 ?? ''))
    return new Map();
  // Only in the store's own town there are a courier and something to pick up.
  const isNear = address.city?.toLowerCase() === store.city.toLowerCase();
  const prices = new Map<string, number>();
  const rates = store.deliveryRates?.filter((rate) => fits(rate, goodsOf(store, content), address));
  for (const { code, priceMinor } of rates ?? []) if (!prices.has(code)) prices.set(code, priceMinor);
  for (const [code, price] of Object.entries(SEED_PRICES)) if (rates === undefined) prices.set(code, price);
  if (isNear) return prices;
  for (const code of ['local', 'pickup']) prices.delete(code);
  return prices;
}

/** The part of the address that prices can depend on, as text to compare. */
export function placeOf(store: StoreState, content: ContractContent): string {
  const { address1, city, zip, provinceCode, countryCodeV2 } = addressOf(store, content) ?? {};
  return JSON.stringify([address1, city, zip, provinceCode, countryCodeV2]);
}

/** A pick-up has no address: the platform prices it by the customer's own. */
function addressOf(
  store: StoreState,
  { deliveryMethod, customerId }: ContractContent,
): AddressContent | undefined {
  if (deliveryMethod !== null && deliveryMethod.kind !== 'pickup') return deliveryMethod.address;
  return [...store.addresses.values()].find((address) => address.customerId === customerId);
}

type Goods = { readonly minor: number; readonly grams: number };

/** The full price of one payment, and the weight of one delivery. */
function goodsOf({ variants }: StoreState, { lines }: ContractContent): Goods {
  let [minor, grams] = [0, 0];
  for (const { currentPriceMinor, quantity, variantId, requiresShipping } of lines) {
    minor += currentPriceMinor * quantity;
    if (requiresShipping) grams += (variants.get(variantId ?? 0)?.grams ?? SEED_GRAMS) * quantity;
  }
  return { minor, grams };
}

function fits(
  rate: DeliveryRate,
  { minor, grams }: Goods,
  { countryCodeV2, provinceCode }: AddressContent,
): boolean {
  const isOfAmount = minor >= (rate.fromMinor ?? 0) && minor < (rate.belowMinor ?? Number.POSITIVE_INFINITY);
  const isOfWeight = grams >= (rate.fromGrams ?? 0) && grams < (rate.belowGrams ?? Number.POSITIVE_INFINITY);
  const places = [countryCodeV2, `${countryCodeV2}-${provinceCode}`];
  const isThere = rate.regions === undefined || rate.regions.some((region) => places.includes(region));
  return isOfAmount && isOfWeight && isThere;
}
