/**
 * The price of delivery depends on the goods. When a customer changes lines or their prices, the present option is read
 * before and after, in the same draft. If its price changes, the contract's does, too; otherwise the delivery price
 * stays, also one that the store has set by hand. While a payment is for several deliveries, a change of the price is
 * refused, because the platform does not publish whether an offer is then for one delivery or for all.
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
import { deliveriesPerPayment, type Rhythms } from '../selling-plans/rhythm.ts';
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

/** Selects below a contract how it is delivered, and the address that a pick-up is priced by. */
export const DELIVERY = `${deliveryMethod({ place: false })} ${DEFAULT_ADDRESS}`;
/** The fields of `DELIVERY` that are null where the store has not granted access to them. */
export const DENIABLE_DELIVERY = ['deliveryMethod', 'defaultAddress'];

type Money = { readonly amount: string; readonly currencyCode: string };

/** The optional fields are read only if a customer is acting. */
export type DeliveredContract = Rhythms & {
  readonly currencyCode: string;
  readonly deliveryPrice?: Money;
  readonly deliveryMethod?: DeliveryMethod | null;
  readonly customer: { readonly defaultAddress?: Address | null } | null;
  readonly discounts?: { readonly nodes: readonly DiscountFacts[] };
};

type Change = {
  readonly contract: DeliveredContract;
  /** The intervals after the change. */
  readonly after: Rhythms;
  /** The price of delivery after the change's own mutations, if they set one. */
  readonly price?: Money | undefined;
  /** The client's argument at fault when the present option is not offered any more. */
  readonly field: readonly string[] | null;
  /** The option that replaces it, where the client can choose one; else the cheapest may. */
  readonly choice?: { readonly optionCode: string | undefined };
  /** Whether the change adds goods. */
  readonly addsGoods?: boolean;
};

type Delivery = Omit<Change, 'price'> & {
  readonly price: Money;
  readonly deps: OperationDeps;
  /** How the contract is delivered now, and the address that options are read for. */
  readonly present: DeliveryInput;
  readonly address: unknown;
  /** Whether a payment is for several deliveries before the change, and after it. */
  readonly isFromSeveral: boolean;
  readonly isOfSeveral: boolean;
};
/**
 * The present option before the change, and whether it was the cheapest. `gone`: the store did not offer it. Undefined: the
 * options are not known, or cannot be compared with those after the change.
 */
type Before = { readonly option: PricedOption; readonly isCheapest: boolean } | 'gone' | undefined;
/** The option that the contract is delivered by after the change, and how. */
type Target = { readonly option: PricedOption; readonly requested: DeliveryInput };
type Options = readonly DeliveryOption[];

/** The steps of a change that keep the delivery price right. */
export type FollowedDelivery = {
  readonly opening: DraftSelection;
  /** Reads the present option before the goods change. */
  readonly readBefore: (opened: OpenedDraft) => Promise<void>;
  /** Reads it after, and sets its price, or the option that the client has chosen instead. */
  readonly followUp: (changed: OpenedDraft) => Promise<Prepared | Refusal>;
  /** Whether a contract that is read again shows what was set. */
  readonly isDone: (contract: DeliveredContract) => boolean;
};

// Options of every kind are selected. Places would need a scope of their own.
const WITHOUT_PLACES = { kind: 'shipping' } as const;

/**
 * Returns the steps for one change by a customer.
 * @returns undefined when the price stays, because a payment gets several deliveries, or no option is known
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
      // Otherwise a plan could keep the delivery price of few goods for any number of them.
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

/** Where several places have it, a pick-up is listed several times. */
function presentOptions({ present }: Delivery, offered: Options): Options {
  return offered.filter(
    ({ __typename, code }) => __typename === TYPES[present.kind] && code === present.optionCode,
  );
}

/** The present option, if it has one price that is known, in the contract's currency. */
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

/** Where payments for several deliveries end, the store pays for the cheapest option of the kind: no earlier price is known. */
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

/** The store pays for the delivery, and a cheaper one is offered. */
function isTooExpensive({ contract }: Delivery, offered: Options, option: PricedOption): boolean {
  return isDeliveryGiven(contract.discounts?.nodes ?? []) && !isCheapest(option, offered);
}

function refused({ field }: Delivery, text: 'deliveryPriceUnknown' | 'deliveryNotForGoods'): Refusal {
  return { kind: 'refused', userErrors: [refuse('INVALID', { field, message: message(text) })] };
}

/** The option that replaces the present one: the client's choice, else the cheapest where no other change is possible first. */
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

/** The kind of delivery that can replace the present option: the post needs nothing but the address of a courier. */
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
  // Where a pick-up is was not read.
  const isDelivered = requested.kind === 'pickup' || isDeliveredSo(method ?? null, requested, option);
  return isPriced === true && isDelivered;
}
