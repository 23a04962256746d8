/**
 * Changes the address and the kind of a contract's delivery. The platform returns the delivery options of the store for
 * the address in a draft. The option's title and price always come from the platform, never from the client.
 */

import { type Message, message } from '../../messages/message.ts';
import type { PlatformText } from '../../platform/admin-api/admin-response.ts';
import {
  type DeliveryOption,
  writeDeliveryOptionsSelection,
} from '../../platform/admin-api/delivery-options.ts';
import { createFact, toMoneyText } from '../../timeline/facts.ts';
import type { ContractFacts } from '../contract-facts.ts';
import {
  DISCOUNT_FACTS_SELECTION,
  type DiscountFacts,
  isDeliveryDiscountedToZero,
} from '../discount-facts.ts';
import { decideDraft } from '../draft/decide-draft.ts';
import type {
  DraftDecision,
  DraftMutation,
  DraftOperation,
  DraftOperationRefusal,
  OpenedDraft,
  PreparedMutations,
} from '../draft/draft-operation.ts';
import { isDryRun, previewUnchangedContract } from '../draft/preview-change.ts';
import type { Operation, OperationDeps } from '../operation.ts';
import { createUserError, type OperationError, type OperationOutcome } from '../operation-error.ts';
import type { Money } from '../order-content.ts';
import { readContract } from '../read-contract.ts';
import { runOperation } from '../run-operation.ts';
import { deliveriesPerPayment, type Frequencies } from '../selling-plans/frequency.ts';
import {
  type AddressInput,
  type DeliveryInput,
  INPUT_FIELDS_BY_KIND,
  parseDeliveryInput,
} from './delivery-input.ts';
import {
  buildDeliveryMethodInput,
  DEFAULT_ADDRESS_SELECTION,
  type DeliveryAddress,
  type DeliveryMethod,
  isDeliveredAsRequested,
  isSameDeliveryAddress,
  toAddressInput,
  toDeliveryInput,
  writeDeliveryMethodSelection,
} from './delivery-method.ts';
import { listAllowedOptions } from './free-delivery.ts';
import {
  chooseDeliveryOption,
  createOptionRequiredRefusal,
  listPricedOptions,
  type PricedOption,
  pollDeliveryOptions,
} from './poll-delivery-options.ts';
import { buildDeliveryUpdate, findRejectedAddressFields } from './update-draft-delivery.ts';

type DeliveryState = {
  readonly contract: ContractFacts &
    Frequencies & {
      readonly currencyCode: string;
      readonly deliveryPrice: Money;
      readonly deliveryMethod: DeliveryMethod | null;
      readonly customer: { readonly id: string; readonly defaultAddress?: DeliveryAddress | null } | null;
      readonly discounts: { readonly nodes: readonly DiscountFacts[] };
    };
};

/**
 * Returns the contract, or userErrors: DELIVERY_OPTION_REQUIRED with `deliveryOptions`, CURRENCY_NOT_SUPPORTED,
 * INVALID, and those of a draft. Sends four platform requests, and one per poll for delivery options. If a payment
 * covers several deliveries, the options for the present address are polled, too. If there are no options, one more
 * request finds out which address field is wrong.
 */
export const changeDelivery: Operation = async (deps, request) => {
  const deliveryChoice: DeliveryChoice = { chosenOption: undefined, isAlreadySet: false };
  const requestedInput = parseDeliveryInput(request);
  const isPickup = 'kind' in requestedInput && requestedInput.kind === 'pickup';
  const methodSelection = writeDeliveryMethodSelection({ withPickupLocation: isPickup });
  const draftOperation: DraftOperation<DeliveryState> = {
    contractArgument: 'contractId',
    reads: {
      contractSelection: `currencyCode deliveryPrice { amount currencyCode } billingPolicy { interval intervalCount }
        deliveryPolicy { interval intervalCount } discounts(first: 100) { nodes { ${DISCOUNT_FACTS_SELECTION} } } ${methodSelection} ${isPickup ? DEFAULT_ADDRESS_SELECTION : ''}`,
      // Access to the present delivery method may be denied: the change then works, but a repeated request is not
      // recognized. A pickup needs the address of the method, so there only the access to locations may be denied; the
      // missing options then show it.
      deniableFields: [isPickup ? 'location' : 'deliveryMethod'],
    },
    decide: (state) => decideOnDelivery({ deps, state, choice: deliveryChoice }, requestedInput),
  };
  const draftOutcome = await runOperation(deps, () => decideDraft(deps, request, draftOperation));
  if (!deliveryChoice.isAlreadySet) return draftOutcome;
  if (isDryRun(request)) {
    const previewRun = { deps, request, contractId: String(request.args.contractId) };
    return previewUnchangedContract(previewRun, draftOutcome.locals ?? NO_DELIVERY_OPTIONS);
  }
  return readUnchangedContract(deps, request, draftOutcome);
};

const NO_DELIVERY_OPTIONS = { deliveryOptions: [] };

/** The option that the service chose while the draft was open, and whether the contract already has this option. */
type DeliveryChoice = { chosenOption: PricedOption | undefined; isAlreadySet: boolean };
type DeliveryChangeCase = {
  readonly deps: OperationDeps;
  readonly state: DeliveryState;
  readonly choice: DeliveryChoice;
};

/**
 * Reads the unchanged contract for the response. A repeated request without an option code is recognized only after
 * the options were read: its draft is not committed, and no timeline entry is written.
 */
async function readUnchangedContract(
  deps: OperationDeps,
  { args, selection }: Parameters<Operation>[1],
  outcome: OperationOutcome,
): Promise<OperationOutcome> {
  const contractOutcome = await readContract(deps, { contractId: String(args.contractId), selection });
  return { ...contractOutcome, ...(outcome.locals && { locals: outcome.locals }) };
}

function decideOnDelivery(
  change: DeliveryChangeCase,
  requested: DeliveryInput | OperationError,
): DraftDecision<DeliveryState> {
  if ('message' in requested) return toDraftOperationRefusal(requested);
  const { state, choice } = change;
  choice.isAlreadySet = false;
  const { optionCode: code } = requested;
  if (code !== undefined && isDeliveredAsRequested(state.contract.deliveryMethod, requested, { code })) {
    return { kind: 'unchanged', locals: NO_DELIVERY_OPTIONS };
  }
  const address = chooseAddressForOptions(state, requested);
  if (address === null) {
    return toDraftOperationRefusal(invalidDeliveryError(requested, message('pickupNeedsAddress')));
  }
  return {
    kind: 'change',
    intent: { action: 'subscription_delivery_updated', details: {}, changes: [createFact('deliveryMethod')] },
    openingSelection: {
      selection: writeDeliveryOptionsSelection(requested),
      declarations: ['$_svcAddress: MailingAddressInput'],
      variables: { _svcAddress: address },
    },
    mutations: (draft) => prepareDeliveryDraft(change, requested, { draft, address }),
    showsChange: ({ contract }) =>
      choice.chosenOption !== undefined &&
      isDeliveredAsRequested(contract.deliveryMethod, requested, choice.chosenOption),
    locals: NO_DELIVERY_OPTIONS,
  };
}

/**
 * Returns the address for which options are read. For a pickup this is the address of the contract's delivery method,
 * or else the customer's default address.
 * @returns null when there is no such address
 */
function chooseAddressForOptions({ contract }: DeliveryState, requested: DeliveryInput) {
  if (requested.kind !== 'pickup') return requested.address;
  const address = contract.deliveryMethod?.address ?? contract.customer?.defaultAddress ?? null;
  return address === null ? null : toAddressInput(address);
}

type DraftWithAddress = { readonly draft: OpenedDraft; readonly address: AddressInput };

async function prepareDeliveryDraft(
  change: DeliveryChangeCase,
  requested: DeliveryInput,
  openedDraft: DraftWithAddress,
): Promise<PreparedMutations | DraftOperationRefusal> {
  const { deps, state, choice } = change;
  const optionsResult = await pollDeliveryOptions(deps, { ...openedDraft, requested });
  if (optionsResult === 'denied')
    return toDraftOperationRefusal(invalidDeliveryError(requested, chooseDeniedMessage(deps)));
  if (!('deliveryOptions' in optionsResult))
    return createNoOptionsRefusal(deps, requested, { ...openedDraft, platformText: optionsResult.message });
  const pricedOptions = listPricedOptions(optionsResult.deliveryOptions, requested);
  if (pricedOptions.length === 0)
    return toDraftOperationRefusal(invalidDeliveryError(requested, message('deliveryNotThisWay')));
  const isAddressUnchanged = isSameDeliveryAddress(state.contract.deliveryMethod, openedDraft.address);
  const choosableOptions = listChoosableOptions(change, pricedOptions, {
    offered: optionsResult.deliveryOptions,
    isSettled: isAddressUnchanged,
  });
  if (choosableOptions.length === 0)
    return toDraftOperationRefusal(invalidDeliveryError(requested, message('deliveryMoreExpensive')));
  const chosenOption = chooseDeliveryOption(choosableOptions, requested.optionCode);
  if (chosenOption === undefined)
    return createOptionRequiredRefusal(
      choosableOptions,
      requested.optionCode === undefined ? 'deliverySeveralWays' : 'deliveryWayUnknown',
    );
  const { deliveryPrice, deliveryMethod, currencyCode } = state.contract;
  if (chosenOption.price.currencyCode !== currencyCode) {
    const fieldAndMessage = { field: ['deliveryMethod'], message: message('deliveryInOtherCurrency') };
    return toDraftOperationRefusal(createUserError('CURRENCY_NOT_SUPPORTED', fieldAndMessage));
  }
  const price = await computePaymentPrice(change, {
    requested,
    option: chosenOption,
    draft: openedDraft.draft,
  });
  if (price === undefined) return toDraftOperationRefusal(createPriceUnknownError());
  choice.chosenOption = chosenOption;
  const paymentPrices = { before: toMoneyText(deliveryPrice), after: toMoneyText(price) };
  const isSamePrice = paymentPrices.before === paymentPrices.after;
  if (isSamePrice && isDeliveredAsRequested(deliveryMethod, requested, chosenOption)) {
    choice.isAlreadySet = true;
    return { kind: 'refused', userErrors: [] };
  }
  const changedFacts = [
    createFact('deliveryMethod'),
    ...(isSamePrice ? [] : [createFact('deliveryPrice', paymentPrices)]),
  ];
  return {
    kind: 'prepared',
    mutations: [buildDeliveryDraftUpdate(requested, chosenOption, price)],
    changedFacts,
  };
}

/**
 * Returns the options that the requester may choose. A customer whose delivery the store pays for cannot choose
 * options that are more expensive.
 */
function listChoosableOptions(
  { deps: { actingCustomerId }, state: { contract } }: DeliveryChangeCase,
  options: readonly PricedOption[],
  offer: { readonly offered: readonly DeliveryOption[]; readonly isSettled: boolean },
): readonly PricedOption[] {
  if (actingCustomerId === undefined || !isDeliveryDiscountedToZero(contract.discounts.nodes)) return options;
  const presentInput = toDeliveryInput(contract.deliveryMethod);
  return listAllowedOptions(options, { ...offer, presentDelivery: presentInput, contract });
}

type ChosenOption = {
  readonly requested: DeliveryInput;
  readonly option: PricedOption;
  readonly draft: OpenedDraft;
};

/**
 * Returns the delivery price to set for each payment. If a payment covers several deliveries, the platform does not
 * document whether the option's price is for one delivery or for all. Then only the present option can be chosen, and
 * only if its price is the same at the present and at the new address: the contract's price stays.
 * @returns undefined when the price cannot be determined
 */
async function computePaymentPrice(
  { deps, state }: DeliveryChangeCase,
  { requested, option, draft }: ChosenOption,
): Promise<Money | undefined> {
  const { deliveryMethod, deliveryPrice } = state.contract;
  if ((deliveriesPerPayment(state.contract) ?? 1) === 1) return option.price;
  const presentInput = toDeliveryInput(deliveryMethod);
  if (presentInput?.kind !== requested.kind || presentInput.optionCode !== option.code) return undefined;
  const address = chooseAddressForOptions(state, presentInput);
  const draftWithoutOptions = { ...draft, selectedFields: { deliveryOptions: null }, errors: [] };
  const optionsResult = await pollDeliveryOptions(deps, {
    draft: draftWithoutOptions,
    address,
    requested: presentInput,
  });
  if (optionsResult === 'denied' || !('deliveryOptions' in optionsResult)) return undefined;
  const presentOption = chooseDeliveryOption(
    listPricedOptions(optionsResult.deliveryOptions, presentInput),
    presentInput.optionCode,
  );
  const isSamePrice = presentOption && toMoneyText(presentOption.price) === toMoneyText(option.price);
  return isSamePrice ? deliveryPrice : undefined;
}

function createPriceUnknownError(): OperationError {
  return createUserError('INVALID', { field: ['optionCode'], message: message('deliveryPriceUnknown') });
}

type DraftWithoutOptions = { readonly draft: OpenedDraft; readonly platformText: PlatformText | null };

/**
 * Returns the refusal for an address without delivery options. It names the wrong address fields if there are any. Only
 * merchants get the platform's message.
 */
async function createNoOptionsRefusal(
  deps: OperationDeps,
  requested: DeliveryInput,
  { draft, platformText }: DraftWithoutOptions,
): Promise<DraftOperationRefusal> {
  const visibleText = deps.actingCustomerId === undefined && platformText !== null ? platformText : undefined;
  const isCountryMissing =
    requested.kind !== 'pickup' && !requested.address.countryCode && !requested.address.country;
  if (isCountryMissing)
    return toDraftOperationRefusal(
      invalidDeliveryError(requested, visibleText ?? message('deliveryCountryMissing')),
    );
  const rejectedFields =
    requested.kind === 'pickup' ? [] : await findRejectedAddressFields(deps, requested, draft);
  if (rejectedFields.length > 0) return { kind: 'refused', userErrors: rejectedFields };
  return toDraftOperationRefusal(invalidDeliveryError(requested, visibleText ?? message('deliveryNotThere')));
}

/** Merchants get the message that names the missing scope; customers get a general one. */
function chooseDeniedMessage({ actingCustomerId }: OperationDeps): Message {
  return message(actingCustomerId === undefined ? 'pickupNotGranted' : 'pickupUnavailable');
}

function buildDeliveryDraftUpdate(
  requested: DeliveryInput,
  option: PricedOption,
  price: Money,
): DraftMutation {
  const draftInput = {
    deliveryMethod: buildDeliveryMethodInput(requested, option),
    deliveryPrice: price.amount,
  };
  return buildDeliveryUpdate(requested, draftInput);
}

function invalidDeliveryError(
  { kind }: DeliveryInput,
  errorMessage: OperationError['message'],
): OperationError {
  return createUserError('INVALID', {
    field: ['deliveryMethod', INPUT_FIELDS_BY_KIND[kind]],
    message: errorMessage,
  });
}

function toDraftOperationRefusal(
  error: OperationError,
  locals?: DraftOperationRefusal['locals'],
): DraftOperationRefusal {
  return { kind: 'refused', userErrors: [error], ...(locals && { locals }) };
}
