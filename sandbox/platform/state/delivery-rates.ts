/**
 * The delivery prices of a store, as a table of rates. As on the real platform they depend on the order: a rate can
 * apply to an amount of goods, a weight or a region. Several rows with one code are the steps of one option.
 */
import type { DeliveryRate } from './catalogue-records.ts';
import type { ContractContent, LineRecord } from './contract-records.ts';
import type { AddressContent } from './customer-records.ts';
import type { StoreState } from './state.ts';

/** The default rates, which apply to every order. */
const SEED_RATES: readonly DeliveryRate[] = [
  {
    kind: 'shipping',
    code: 'standard',
    title: 'Standard',
    description: '3 to 5 working days',
    priceMinor: 490,
  },
  { kind: 'shipping', code: 'express', title: 'Express', description: 'Next working day', priceMinor: 990 },
  {
    kind: 'localDelivery',
    code: 'local',
    title: 'Harbour courier',
    description: 'Same day, by bicycle',
    priceMinor: 250,
  },
  { kind: 'pickup', code: 'pickup', title: 'Pick up', description: 'Ready in a day', priceMinor: 0 },
];

/** The weight of a variant whose seed gives none, in grams. */
const DEFAULT_VARIANT_GRAMS = 250;

type GoodsTotals = { readonly amountMinor: number; readonly grams: number };

/** Returns the amount of the goods of one payment, before discounts, and the weight of one delivery. */
export function sumGoods({ lines }: ContractContent, store: StoreState): GoodsTotals {
  return {
    amountMinor: lines.reduce((sum, line) => sum + line.currentPriceMinor * line.quantity, 0),
    grams: lines.reduce((sum, line) => sum + lineWeightGrams(line, store) * line.quantity, 0),
  };
}

function lineWeightGrams({ variantId, requiresShipping }: LineRecord, { variants }: StoreState): number {
  const variant = variantId === null ? undefined : variants.get(variantId);
  return variant === undefined || !requiresShipping ? 0 : (variant.grams ?? DEFAULT_VARIANT_GRAMS);
}

/** Returns the rates for these goods and this address: the first matching row of each kind and code. */
export function listApplicableRates(
  store: StoreState,
  goods: GoodsTotals,
  address: AddressContent,
): DeliveryRate[] {
  const rates = (store.deliveryRates ?? SEED_RATES).filter((rate) => doesRateApply(rate, goods, address));
  return rates.filter(
    ({ kind, code }, index) => rates.findIndex((rate) => rate.kind === kind && rate.code === code) === index,
  );
}

function doesRateApply(
  rate: DeliveryRate,
  { amountMinor, grams }: GoodsTotals,
  address: AddressContent,
): boolean {
  const { fromMinor = 0, belowMinor = Infinity, fromGrams = 0, belowGrams = Infinity, regions } = rate;
  const { countryCodeV2, provinceCode } = address;
  const isRegionCovered = [countryCodeV2, `${countryCodeV2}-${provinceCode}`].some(
    (code) => code !== null && regions?.includes(code),
  );
  const isInRange = fromGrams <= grams && grams < belowGrams;
  return (
    fromMinor <= amountMinor &&
    amountMinor < belowMinor &&
    isInRange &&
    (regions === undefined || isRegionCovered)
  );
}
