/**
 * Adjusts the delivery price when a customer changes lines or their prices, because the delivery price depends on the
 * goods. The delivery options are read before and after the change, in the same draft. If the price of the contract's
 * option has changed, the contract gets that price. Otherwise the contract's price stays, even if the store set it by
 * hand. If a payment covers several deliveries, a changed price is refused, because the platform does not document
 * whether an option's price is then the price of one delivery or of all.
 */
import { message } from '../../messages/message.ts';
import {
  type DeliveryOption,
  writeDeliveryOptionsSelection,
} from '../../platform/admin-api/delivery-options.ts';
import { createFact, toMoneyText } from '../../timeline/facts.ts';
import { type DiscountFacts, isDeliveryDiscountedToZero } from '../discount-facts.ts';
import type {
  DraftMutation,
  DraftOperationRefusal,
  DraftSelection,
  OpenedDraft,
  PreparedMutations,
} from '../draft/draft-operation.ts';
import type { OperationDeps } from '../operation.ts';
import { createUserError } from '../operation-error.ts';
import type { Money } from '../order-content.ts';
import { deliveriesPerPayment, type Frequencies } from '../selling-plans/frequency.ts';
import type { DeliveryInput } from './delivery-input.ts';
import {
  buildDeliveryMethodInput,
  DEFAULT_ADDRESS_SELECTION,
  type DeliveryAddress,
  type DeliveryMethod,
  isDeliveredAsRequested,
  toAddressInput,
  toDeliveryInput,
  writeDeliveryMethodSelection,
} from './delivery-method.ts';
import { isCheapestOption, listAllowedOptions } from './free-delivery.ts';
import {
  createOptionRequiredRefusal,
  hasOptionPrice,
  listPricedOptions,
  OPTION_TYPES_BY_KIND,
  type PricedOption,
  pollDeliveryOptionsBriefly,
} from './poll-delivery-options.ts';

/**
 * Selects the contract's delivery method, and the customer's default address, which determines the options of a pickup.
 */
export const DELIVERY_SELECTION = `${writeDeliveryMethodSelection({ withPickupLocation: false })} ${DEFAULT_ADDRESS_SELECTION}`;
/** Fields of `DELIVERY_SELECTION` that are null when the store has not granted access to them. */
export const DENIABLE_DELIVERY_FIELDS = ['deliveryMethod', 'defaultAddress'];

/**
 * The fields of a contract that adjusting the delivery price reads. The optional fields are selected only when a
 * customer is acting.
 */
export type DeliveredContract = Frequencies & {
  readonly currencyCode: string;
  readonly deliveryPrice?: Money;
  readonly deliveryMethod?: DeliveryMethod | null;
  readonly customer: { readonly defaultAddress?: DeliveryAddress | null } | null;
  readonly discounts?: { readonly nodes: readonly DiscountFacts[] };
};

type DeliveryPriceChange = {
  readonly contract: DeliveredContract;
  /** The billing and delivery frequencies after the change. */
  readonly frequenciesAfter: Frequencies;
  /** The delivery price that the change itself sets. Undefined when the change leaves the price as it is. */
  readonly price?: Money | undefined;
  /** The path of the client's argument that a user error about delivery names. */
  readonly field: readonly string[] | null;
  /**
   * The client's choice of another option, for mutations with that argument. It is used if the present option is no
   * longer offered. Without this property, the service may choose the cheapest option.
   */
  readonly choice?: { readonly optionCode: string | undefined };
  /** Whether the change adds goods. */
  readonly addsGoods?: boolean;
};

type DeliveryToAdjust = Omit<DeliveryPriceChange, 'price'> & {
  readonly price: Money;
  readonly deps: OperationDeps;
  /** The contract's present delivery. */
  readonly presentDelivery: DeliveryInput;
  /** The address for which options are read. */
  readonly address: unknown;
  /** Whether a payment covers several deliveries before the change (`coversSeveralBefore`) and after it (`coversSeveralAfter`). */
  readonly coversSeveralBefore: boolean;
  readonly coversSeveralAfter: boolean;
};
/**
 * The contract's option before the change, and whether it was the cheapest one offered. `gone` when the store no
 * longer offered it even before the change. Undefined when the options are unknown, or cannot be compared with those
 * after the change.
 */
type PreviousOption = { readonly option: PricedOption; readonly isCheapest: boolean } | 'gone' | undefined;
/** The option to set, and the delivery input that contains it. */
type OptionToSet = { readonly option: PricedOption; readonly requested: DeliveryInput };
type OfferedOptions = readonly DeliveryOption[];

/** The steps that adjust the delivery price within a change. */
export type DeliveryPriceSteps = {
  readonly opening: DraftSelection;
  /** Reads the options before the goods change. Call it with the opened draft. */
  readonly readOptionsBefore: (openedDraft: OpenedDraft) => Promise<void>;
  /** Reads the options after the change, and returns the mutation that sets the price, or another option. */
  readonly followUp: (changedDraft: OpenedDraft) => Promise<PreparedMutations | DraftOperationRefusal>;
  /**
   * Whether the contract has the option and the price that were set. Called with a contract that is read after the
   * response to the commit was lost.
   */
  readonly showsAdjustment: (contract: DeliveredContract) => boolean;
};

// Options of every kind are selected anyway. `shipping` avoids selecting pickup locations, which would need another
// scope.
const WITHOUT_PICKUP_LOCATIONS = { kind: 'shipping' } as const;

/**
 * Returns the steps that adjust the delivery price within a customer's change.
 * @returns undefined when the price must stay: the contract's option is unknown, or payments will cover several
 * deliveries and not the same number as before
 */
export function planDeliveryPriceAdjustment(
  deps: OperationDeps,
  change: DeliveryPriceChange,
): DeliveryPriceSteps | undefined {
  const { contract, frequenciesAfter, price = contract.deliveryPrice } = change;
  const presentInput = toDeliveryInput(contract.deliveryMethod ?? null);
  const address = presentInput && addressForOptions(presentInput, contract);
  if (!address || presentInput.optionCode === undefined || price === undefined) return undefined;
  const [deliveriesBefore, deliveriesAfter] = [contract, frequenciesAfter].map(deliveriesPerPayment);
  const [coversSeveralBefore, coversSeveralAfter] = [deliveriesBefore !== 1, deliveriesAfter !== 1];
  // Prices for different numbers of deliveries per payment cannot be compared.
  if (coversSeveralAfter && deliveriesBefore !== deliveriesAfter) return undefined;
  const delivery = {
    ...change,
    deps,
    price,
    presentDelivery: presentInput,
    address,
    coversSeveralBefore,
    coversSeveralAfter,
  };
  let optionBefore: PreviousOption;
  let optionToSet: OptionToSet | undefined;
  return {
    opening: {
      selection: writeDeliveryOptionsSelection(WITHOUT_PICKUP_LOCATIONS),
      declarations: ['$_svcAddress: MailingAddressInput'],
      variables: { _svcAddress: address },
    },
    async readOptionsBefore(openedDraft) {
      if (deliveriesBefore !== deliveriesAfter) return;
      const offeredOptions = await readDeliveryOptions(delivery, openedDraft);
      const option = findPresentOption(delivery, offeredOptions);
      if (option !== undefined)
        optionBefore = { option, isCheapest: isCheapestOption(option, offeredOptions ?? []) };
      else if (offeredOptions !== undefined && filterPresentOptions(delivery, offeredOptions).length === 0)
        optionBefore = 'gone';
    },
    async followUp(changedDraft) {
      // Without a known price, the customer could add any number of goods for the delivery price of a few.
      if (optionBefore === 'gone' && coversSeveralAfter && change.addsGoods)
        return toPriceRefusal(delivery, 'deliveryPriceUnknown');
      const isPriceAdjusted =
        deliveriesBefore !== deliveriesAfter || (optionBefore !== undefined && optionBefore !== 'gone');
      const offeredOptions = isPriceAdjusted ? await readDeliveryOptions(delivery, changedDraft) : undefined;
      const chosenOption = offeredOptions && chooseOptionToSet(delivery, offeredOptions, optionBefore);
      if (chosenOption !== undefined && 'kind' in chosenOption) return chosenOption;
      optionToSet = chosenOption;
      return buildDeliverySetting(delivery, chosenOption);
    },
    showsAdjustment: (currentContract) =>
      optionToSet === undefined || hasOptionAndPrice(currentContract, optionToSet),
  };
}

/** Returns the address for which options are read. For a pickup, this is the customer's default address. */
function addressForOptions(present: DeliveryInput, { customer }: DeliveredContract): unknown {
  if (present.kind !== 'pickup') return present.address;
  return customer?.defaultAddress && toAddressInput(customer.defaultAddress);
}

function readDeliveryOptions(
  { deps, address }: DeliveryToAdjust,
  draft: OpenedDraft,
): Promise<OfferedOptions | undefined> {
  return pollDeliveryOptionsBriefly(deps, { draft, address, requested: WITHOUT_PICKUP_LOCATIONS });
}

/** Returns the offers of the contract's option. A pickup option is listed once per location that offers it. */
function filterPresentOptions(
  { presentDelivery }: DeliveryToAdjust,
  offered: OfferedOptions,
): OfferedOptions {
  return offered.filter(
    ({ __typename, code }) =>
      __typename === OPTION_TYPES_BY_KIND[presentDelivery.kind] && code === presentDelivery.optionCode,
  );
}

/** Returns the contract's option if it has exactly one known price, in the contract's currency. */
function findPresentOption(
  delivery: DeliveryToAdjust,
  offered: OfferedOptions = [],
): PricedOption | undefined {
  const options = filterPresentOptions(delivery, offered);
  const [option] = options.filter(hasOptionPrice);
  if (option?.price.currencyCode !== delivery.contract.currencyCode) return undefined;
  const haveAllSamePrice = options.every(({ price }) => price?.amount === option.price.amount);
  return haveAllSamePrice ? option : undefined;
}

/**
 * Chooses the option to set.
 * @returns undefined when option and price stay as they are
 */
function chooseOptionToSet(
  delivery: DeliveryToAdjust,
  offered: OfferedOptions,
  optionBefore: PreviousOption,
): OptionToSet | DraftOperationRefusal | undefined {
  const presentOption = findPresentOption(delivery, offered);
  if (presentOption === undefined && filterPresentOptions(delivery, offered).length > 0) return undefined;
  const knownOptionBefore = optionBefore === 'gone' ? undefined : optionBefore;
  const isSamePrice =
    presentOption &&
    knownOptionBefore &&
    toMoneyText(presentOption.price) === toMoneyText(knownOptionBefore.option.price);
  const isReplaced =
    presentOption === undefined ||
    (knownOptionBefore?.isCheapest && isOptionTooExpensive(delivery, offered, presentOption));
  if (isSamePrice && !isReplaced) return undefined;
  if (delivery.coversSeveralAfter) return toPriceRefusal(delivery, 'deliveryPriceUnknown');
  if (isReplaced) return chooseReplacementOption(delivery, offered);
  return {
    option: knownOptionBefore ? presentOption : cheaperOptionIfDiscounted(delivery, offered, presentOption),
    requested: delivery.presentDelivery,
  };
}

/**
 * Returns the option to set when a payment covered several deliveries before this change, so that no earlier price of
 * the option is known. If the store pays for delivery, it pays for the cheapest option of the same kind.
 */
function cheaperOptionIfDiscounted(
  { contract, presentDelivery }: DeliveryToAdjust,
  offered: OfferedOptions,
  option: PricedOption,
): PricedOption {
  if (!isDeliveryDiscountedToZero(contract.discounts?.nodes ?? [])) return option;
  const cheaperOptions = listPricedOptions(offered, presentDelivery).filter(
    ({ price }) => price.currencyCode === option.price.currencyCode,
  );
  return cheaperOptions.find((other) => isCheapestOption(other, cheaperOptions)) ?? option;
}

/** Whether the store pays for delivery, and a cheaper option is offered. */
function isOptionTooExpensive(
  { contract }: DeliveryToAdjust,
  offered: OfferedOptions,
  option: PricedOption,
): boolean {
  return isDeliveryDiscountedToZero(contract.discounts?.nodes ?? []) && !isCheapestOption(option, offered);
}

function toPriceRefusal(
  { field }: DeliveryToAdjust,
  messageKey: 'deliveryPriceUnknown' | 'deliveryNotForGoods',
): DraftOperationRefusal {
  return {
    kind: 'refused',
    userErrors: [createUserError('INVALID', { field, message: message(messageKey) })],
  };
}

/**
 * Returns the option that replaces the contract's option: the one that the client chose. If the mutation has no
 * argument for a choice, returns the cheapest option, but only if the customer could not have changed the delivery
 * before.
 */
function chooseReplacementOption(
  delivery: DeliveryToAdjust,
  offered: OfferedOptions,
): OptionToSet | DraftOperationRefusal {
  const { contract, presentDelivery, choice, coversSeveralBefore } = delivery;
  const replacementDelivery = chooseReplacementDelivery(presentDelivery, offered);
  const pricedOptions = listPricedOptions(offered, replacementDelivery).filter(
    ({ price }) => price.currencyCode === contract.currencyCode,
  );
  const isFreeDelivery = isDeliveryDiscountedToZero(contract.discounts?.nodes ?? []);
  const deliveryOffer = { offered, presentDelivery, contract, isSettled: false };
  const allowedOptions = isFreeDelivery ? listAllowedOptions(pricedOptions, deliveryOffer) : pricedOptions;
  const cheapestOption = allowedOptions.find((option) => isCheapestOption(option, allowedOptions));
  if (cheapestOption === undefined) return toPriceRefusal(delivery, 'deliveryNotForGoods');
  if (choice === undefined) {
    const takesCheapest = coversSeveralBefore || isFreeDelivery;
    return takesCheapest
      ? { option: cheapestOption, requested: replacementDelivery }
      : toPriceRefusal(delivery, 'deliveryNotForGoods');
  }
  const chosenOption = allowedOptions.find(({ code }) => code === choice.optionCode);
  if (chosenOption !== undefined) return { option: chosenOption, requested: replacementDelivery };
  return createOptionRequiredRefusal(
    allowedOptions,
    choice.optionCode === undefined ? 'deliveryWayGone' : 'deliveryWayUnknown',
  );
}

/**
 * Returns the delivery for which a replacement option is searched. If local delivery is no longer offered, this is
 * shipping to the same address.
 */
function chooseReplacementDelivery(present: DeliveryInput, offered: OfferedOptions): DeliveryInput {
  const isLocalDeliveryGone =
    present.kind === 'localDelivery' && listPricedOptions(offered, present).length === 0;
  return isLocalDeliveryGone
    ? { kind: 'shipping', address: present.address, optionCode: undefined }
    : present;
}

function buildDeliverySetting(
  { contract, presentDelivery, price, field, choice }: DeliveryToAdjust,
  optionToSet: OptionToSet | undefined,
): PreparedMutations {
  const { option, requested = presentDelivery } = optionToSet ?? {};
  const priceBefore = contract.deliveryPrice && toMoneyText(contract.deliveryPrice);
  const priceValues = { before: priceBefore ?? null, after: toMoneyText(option?.price ?? price) };
  const isReplaced =
    requested.kind !== presentDelivery.kind || (option && option.code !== presentDelivery.optionCode);
  const draftInput = {
    ...(option && isReplaced && { deliveryMethod: buildDeliveryMethodInput(requested, option) }),
    ...(option && toMoneyText(option.price) !== toMoneyText(price) && { deliveryPrice: option.price.amount }),
  };
  const draftUpdate: DraftMutation = {
    mutation: 'subscriptionDraftUpdate',
    args: { input: ['SubscriptionDraftInput!', draftInput] },
    toClientField: () => (isReplaced && choice !== undefined ? ['optionCode'] : field),
  };
  return {
    kind: 'prepared',
    mutations: Object.keys(draftInput).length === 0 ? [] : [draftUpdate],
    changedFacts: [
      ...(isReplaced ? [createFact('deliveryMethod')] : []),
      ...(priceValues.before === priceValues.after ? [] : [createFact('deliveryPrice', priceValues)]),
    ],
  };
}

function hasOptionAndPrice(
  { deliveryMethod, deliveryPrice }: DeliveredContract,
  optionToSet: OptionToSet,
): boolean {
  const { option, requested } = optionToSet;
  const hasOptionPrice = deliveryPrice && toMoneyText(deliveryPrice) === toMoneyText(option.price);
  // The location of a pickup was not selected, so it cannot be compared.
  const hasRequestedMethod =
    requested.kind === 'pickup' || isDeliveredAsRequested(deliveryMethod ?? null, requested, option);
  return hasOptionPrice === true && hasRequestedMethod;
}
