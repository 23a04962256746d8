/** Records of customers: who they are, where they live, how they pay. Ids are numbers; methods are hashes. */

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

/** What a postal address says; a contract holds its own copy of one. */
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

/** `model` is the tail's `model_name`: the same table holds customers' addresses and contracts' copies. */
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
  instrument: CardRecord | PaypalRecord;
};

type BankAnswers = {
  /** The bank's answer to every charge: a code, ACTION_REQUIRED or PENDING; null when it pays. */
  declines: string | null;
  /** The answers to the next charges, before `declines` counts. */
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

export type PaypalRecord = BankAnswers & {
  __typename: 'CustomerPaypalBillingAgreement';
  paypalAccountEmail: string | null;
  inactive: boolean;
  isRevocable: boolean;
  billingAddress: AddressContent | null;
};
