/**
 * The price of delivery depends on the goods. When a customer changes lines or their prices, the present option is
 * read before and after the change, in the same draft. If the option's price changes, the contract's price changes,
 * too; otherwise it stays, even if the store set it by hand. If a payment covers several deliveries, a changed price
 * is refused, because the platform does not document whether an offer is then for one delivery or for all.
 */
import { message } from '../../messages/message.ts';
import { type DeliveryOption, deliveryOptions } from '../../platform/admin-api/delivery-options.ts';
import { deliveryMethodFact, deliveryPriceFact, moneyText } from '../../timeline/changed-fact.ts';
import { type DiscountFacts, isDeliveryGiven } from '../discount-facts.ts';
import type {
  DraftMutation,
  DraftSelection,
  OpenedDraft,
  Prepared,
  Refusal,
} from '../draft/draft-operation.ts';
import type { OperationDeps } from '../operation.ts';
import { refuse } from '../operation-error.ts';
import { deliveriesPerPayment, type Frequencies } from '../selling-plans/frequency.ts';
import {
  hasPrice,
  optionRequired,
  optionsInTime,
  optionsOfKind,
  type PricedOption,
  TYPES,
} from './await-options.ts';
import type { DeliveryInput } from './delivery-input.ts';
import {
  type Address,
  addressInput,
  DEFAULT_ADDRESS,
  type DeliveryMethod,
  deliveryMethod,
  deliveryMethodInput,
  isDeliveredSo,
  presentDelivery,
} from './delivery-method.ts';
import { affordableOptions, isCheapest } from './free-delivery.ts';

/** Selects a contract's delivery method, and the address that prices a pick-up. */
export const DELIVERY = `${deliveryMethod({ place: false })} ${DEFAULT_ADDRESS}`;
/** The fields of `DELIVERY` that are null when the store has not granted access to them. */
export const DENIABLE_DELIVERY = ['deliveryMethod', 'defaultAddress'];

type Money = { readonly amount: string; readonly currencyCode: string };

/** The optional fields are read only if a customer is acting. */
export type DeliveredContract = Frequencies & {
  readonly currencyCode: string;
  readonly deliveryPrice?: Money;
  readonly deliveryMethod?: DeliveryMethod | null;
  readonly customer: { readonly defaultAddress?: Address | null } | null;
  readonly discounts?: { readonly nodes: readonly DiscountFacts[] };
};

type Change = {
  readonly contract: DeliveredContract;
  /** The intervals after the change. */
  readonly after: Frequencies;
  /** The price of delivery after the change's own mutations, if they set one. */
  readonly price?: Money | undefined;
  /** The client's argument in the error when the present option is no longer offered. */
  readonly field: readonly string[] | null;
  /** The client's choice of a replacement, if the mutation has one; else the cheapest option may replace it. */
  readonly choice?: { readonly optionCode: string | undefined };
  /** Whether the change adds goods. */
  readonly addsGoods?: boolean;
};

type Delivery = Omit<Change, 'price'> & {
  readonly price: Money;
  readonly deps: OperationDeps;
  /** The present delivery, and the address that options are read for. */
  readonly present: DeliveryInput;
  readonly address: unknown;
  /** Whether a payment covers several deliveries before the change, and after it. */
  readonly isFromSeveral: boolean;
  readonly isOfSeveral: boolean;
};
/**
 * The present option before the change, and whether it was the cheapest. `gone`: the store did not offer it.
 * Undefined when the options are unknown, or cannot be compared with those after the change.
 */
type Before = { readonly option: PricedOption; readonly isCheapest: boolean } | 'gone' | undefined;
/** The delivery option after the change, and the delivery input that it belongs to. */
type Target = { readonly option: PricedOption; readonly requested: DeliveryInput };
type Options = readonly DeliveryOption[];

/** The steps of a change that update the delivery price. */
export type FollowedDelivery = {
  readonly opening: DraftSelection;
  /** Reads the present option before the goods change. */
  readonly readBefore: (opened: OpenedDraft) => Promise<void>;
  /** Reads the option after the change, and sets its price, or the option that the client chose as replacement. */
  readonly followUp: (changed: OpenedDraft) => Promise<Prepared | Refusal>;
  /** Whether a contract that is read again has the option and price that were set. */
  readonly isDone: (contract: DeliveredContract) => boolean;
};

// Options of every kind are selected. Locations would need another scope.
const WITHOUT_PLACES = { kind: 'shipping' } as const;

/**
 * Returns the steps for a change by a customer.
 * @returns undefined when the price stays, because a payment will cover several deliveries and another number of
 * them, or no option is known
 */
export function followDelivery(deps: OperationDeps, change: Change): FollowedDelivery | undefined {
  const { contract, after, price = contract.deliveryPrice } = change;
  const present = presentDelivery(contract.deliveryMethod ?? null);
  const address = present && addressFor(present, contract);
  if (!address || present.optionCode === undefined || price === undefined) return undefined;
  const [from, to] = [contract, after].map(deliveriesPerPayment);
  const [isFromSeveral, isOfSeveral] = [from !== 1, to !== 1];
  // Offers for another number of deliveries cannot be compared.
  if (isOfSeveral && from !== to) return undefined;
  const delivery = { ...change, deps, price, present, address, isFromSeveral, isOfSeveral };
  let before: Before;
  let target: Target | undefined;
  return {
    opening: {
      selection: deliveryOptions(WITHOUT_PLACES),
      declarations: ['$_svcAddress: MailingAddressInput'],
      variables: { _svcAddress: address },
    },
    async readBefore(opened) {
      if (from !== to) return;
      const offered = await readOptions(delivery, opened);
      const option = presentOption(delivery, offered);
      if (option !== undefined) before = { option, isCheapest: isCheapest(option, offered ?? []) };
      else if (offered !== undefined && presentOptions(delivery, offered).length === 0) before = 'gone';
    },
    async followUp(changed) {
      // Otherwise a plan could apply the delivery price of few goods to any number of them.
      if (before === 'gone' && isOfSeveral && change.addsGoods)
        return refused(delivery, 'deliveryPriceUnknown');
      const isFollowed = from !== to || (before !== undefined && before !== 'gone');
      const offered = isFollowed ? await readOptions(delivery, changed) : undefined;
      const chosen = offered && chooseTarget(delivery, offered, before);
      if (chosen !== undefined && 'kind' in chosen) return chosen;
      target = chosen;
      return setDelivery(delivery, chosen);
    },
    isDone: (now) => target === undefined || isSet(now, target),
  };
}

/** A pick-up is priced by the customer's own address. */
function addressFor(present: DeliveryInput, { customer }: DeliveredContract): unknown {
  if (present.kind !== 'pickup') return present.address;
  return customer?.defaultAddress && addressInput(customer.defaultAddress);
}

function readOptions({ deps, address }: Delivery, draft: OpenedDraft): Promise<Options | undefined> {
  return optionsInTime(deps, { draft, address, requested: WITHOUT_PLACES });
}

/** A pick-up that several locations offer is listed several times. */
function presentOptions({ present }: Delivery, offered: Options): Options {
  return offered.filter(
    ({ __typename, code }) => __typename === TYPES[present.kind] && code === present.optionCode,
  );
}

/** Returns the present option, if it has a single known price in the contract's currency. */
function presentOption(delivery: Delivery, offered: Options = []): PricedOption | undefined {
  const options = presentOptions(delivery, offered);
  const [option] = options.filter(hasPrice);
  if (option?.price.currencyCode !== delivery.contract.currencyCode) return undefined;
  const isOnePrice = options.every(({ price }) => price?.amount === option.price.amount);
  return isOnePrice ? option : undefined;
}

/**
 * Chooses the option to set.
 * @returns undefined when the price stays
 */
function chooseTarget(delivery: Delivery, offered: Options, before: Before): Target | Refusal | undefined {
  const option = presentOption(delivery, offered);
  if (option === undefined && presentOptions(delivery, offered).length > 0) return undefined;
  const known = before === 'gone' ? undefined : before;
  const isSamePrice = option && known && moneyText(option.price) === moneyText(known.option.price);
  const isReplaced = option === undefined || (known?.isCheapest && isTooExpensive(delivery, offered, option));
  if (isSamePrice && !isReplaced) return undefined;
  if (delivery.isOfSeveral) return refused(delivery, 'deliveryPriceUnknown');
  if (isReplaced) return replacement(delivery, offered);
  return { option: known ? option : cheaperIfGiven(delivery, offered, option), requested: delivery.present };
}

/**
 * When payments for several deliveries end, no earlier price is known. If the store pays for delivery, it then pays
 * for the cheapest option of the kind.
 */
function cheaperIfGiven(
  { contract, present }: Delivery,
  offered: Options,
  option: PricedOption,
): PricedOption {
  if (!isDeliveryGiven(contract.discounts?.nodes ?? [])) return option;
  const options = optionsOfKind(offered, present).filter(
    ({ price }) => price.currencyCode === option.price.currencyCode,
  );
  return options.find((other) => isCheapest(other, options)) ?? option;
}

/** The store pays for the delivery, and a cheaper option is offered. */
function isTooExpensive({ contract }: Delivery, offered: Options, option: PricedOption): boolean {
  return isDeliveryGiven(contract.discounts?.nodes ?? []) && !isCheapest(option, offered);
}

function refused({ field }: Delivery, text: 'deliveryPriceUnknown' | 'deliveryNotForGoods'): Refusal {
  return { kind: 'refused', userErrors: [refuse('INVALID', { field, message: message(text) })] };
}

/**
 * Chooses the option that replaces the present one: the client's choice; without a choice the cheapest, if the
 * customer cannot change the delivery first.
 */
function replacement(delivery: Delivery, offered: Options): Target | Refusal {
  const { contract, present, choice, isFromSeveral } = delivery;
  const requested = requestedKind(present, offered);
  const priced = optionsOfKind(offered, requested).filter(
    ({ price }) => price.currencyCode === contract.currencyCode,
  );
  const isGiven = isDeliveryGiven(contract.discounts?.nodes ?? []);
  const offer = { offered, present, contract, isSettled: false };
  const options = isGiven ? affordableOptions(priced, offer) : priced;
  const cheapest = options.find((option) => isCheapest(option, options));
  if (cheapest === undefined) return refused(delivery, 'deliveryNotForGoods');
  if (choice === undefined) {
    const isTaken = isFromSeveral || isGiven;
    return isTaken ? { option: cheapest, requested } : refused(delivery, 'deliveryNotForGoods');
  }
  const option = options.find(({ code }) => code === choice.optionCode);
  if (option !== undefined) return { option, requested };
  return optionRequired(options, choice.optionCode === undefined ? 'deliveryWayGone' : 'deliveryWayUnknown');
}

/**
 * Returns the kind of delivery that can replace the present option. Shipping needs only the address of a local
 * delivery.
 */
function requestedKind(present: DeliveryInput, offered: Options): DeliveryInput {
  const isCourierGone = present.kind === 'localDelivery' && optionsOfKind(offered, present).length === 0;
  return isCourierGone ? { kind: 'shipping', address: present.address, optionCode: undefined } : present;
}

function setDelivery(
  { contract, present, price, field, choice }: Delivery,
  target: Target | undefined,
): Prepared {
  const { option, requested = present } = target ?? {};
  const before = contract.deliveryPrice && moneyText(contract.deliveryPrice);
  const values = { before: before ?? null, after: moneyText(option?.price ?? price) };
  const isReplaced = requested.kind !== present.kind || (option && option.code !== present.optionCode);
  const input = {
    ...(option && isReplaced && { deliveryMethod: deliveryMethodInput(requested, option) }),
    ...(option && moneyText(option.price) !== moneyText(price) && { deliveryPrice: option.price.amount }),
  };
  const update: DraftMutation = {
    mutation: 'subscriptionDraftUpdate',
    args: { input: ['SubscriptionDraftInput!', input] },
    blame: () => (isReplaced && choice !== undefined ? ['optionCode'] : field),
  };
  return {
    kind: 'prepared',
    mutations: Object.keys(input).length === 0 ? [] : [update],
    changed: [
      ...(isReplaced ? [deliveryMethodFact()] : []),
      ...(values.before === values.after ? [] : [deliveryPriceFact(values)]),
    ],
  };
}

function isSet({ deliveryMethod: method, deliveryPrice }: DeliveredContract, target: Target): boolean {
  const { option, requested } = target;
  const isPriced = deliveryPrice && moneyText(deliveryPrice) === moneyText(option.price);
  // The location of a pick-up was not read.
  const isDelivered = requested.kind === 'pickup' || isDeliveredSo(method ?? null, requested, option);
  return isPriced === true && isDelivered;
}
