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

type BankAnswers = {
  /** The bank's response to every charge: a code, ACTION_REQUIRED or PENDING; null for a successful payment. */
  declines: string | null;
  /** The responses to the next charges, before `declines` applies. */
  upcomingAnswers?: string[];
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
