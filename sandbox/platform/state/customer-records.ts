/** Records of customers, their addresses and payment methods. Ids are numbers; those of payment methods are hashes. */

export type CustomerRecord = {
  __typename: 'Customer';
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  locale: string;
  note: string | null;
  tags: string[];
  taxExempt: boolean;
  defaultAddressId: number | null;
  createdAt: string;
  updatedAt: string;
};

/** The content of a postal address; a contract has its own copy. */
export type AddressContent = {
  address1: string | null;
  address2: string | null;
  city: string | null;
  company: string | null;
  country: string | null;
  countryCodeV2: string | null;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  province: string | null;
  provinceCode: string | null;
  zip: string | null;
};

/** `model` is the tail's `model_name`: the same table has customers' addresses and contracts' copies. */
export type AddressRecord = AddressContent & {
  __typename: 'MailingAddress';
  id: number;
  model: 'CustomerAddress' | 'Address';
  customerId: number | null;
};

export type PaymentMethodRecord = {
  __typename: 'CustomerPaymentMethod';
  id: string;
  customerId: number;
  revokedAt: string | null;
  revokedReason: string | null;
  instrument: CardRecord | PaypalRecord | ShopPayRecord;
};

/** A step of a script: what charges lead to while it is the step's time. */
export type OutcomeStep = {
  /** A code, PAYS, ACTION_REQUIRED, PENDING or the code of a user error; undefined: as without a script. */
  answer?: string | undefined;
  /** How many more charges take the step; undefined: all. */
  count?: number | undefined;
  /** The first instant of the step's time, and the first one after it, in epoch milliseconds. */
  fromMs?: number | undefined;
  untilMs?: number | undefined;
  /** How long the attempt stays pending; undefined for the store's setting. */
  delaySeconds?: number | undefined;
  /** How long the customer can confirm the payment; undefined for the store's setting. */
  confirmSeconds?: number | undefined;
};

type BankAnswers = {
  /** The bank's response to every charge: a code, ACTION_REQUIRED or PENDING; null for a successful payment. */
  declines: string | null;
  /** The script of the payment method; its steps count before `declines`. */
  outcomes?: OutcomeStep[];
  /** The declined payments since the last successful one. */
  failuresInRow?: number;
};

export type CardRecord = BankAnswers & {
  __typename: 'CustomerCreditCard';
  brand: string;
  expiryMonth: number;
  expiryYear: number;
  lastDigits: string;
  firstDigits: string | null;
  name: string;
  billingAddress: AddressContent | null;
};

/** A card in the customer's wallet: the only instrument that the platform has an update URL for. */
export type ShopPayRecord = BankAnswers &
  Omit<CardRecord, '__typename' | 'brand' | 'firstDigits'> & {
    __typename: 'CustomerShopPayAgreement';
    inactive: boolean;
  };

export type PaypalRecord = BankAnswers & {
  __typename: 'CustomerPaypalBillingAgreement';
  paypalAccountEmail: string | null;
  inactive: boolean;
  isRevocable: boolean;
  billingAddress: AddressContent | null;
};
