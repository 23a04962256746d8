/** How a forwarded mutation changes contracts: its record in graphql/mutations says so. */
import type { Message } from '../../lib/messages/message.ts';
import type { ChangeIntent } from '../../lib/timeline/run-change.ts';
import type { ContractContent } from '../../lib/timeline/settle/contract-content.ts';

// biome-ignore lint/suspicious/noExplicitAny: coerced arguments of many mutations, each as its schema says.
export type Arguments = Readonly<Record<string, any>>;

export type ObservedContract = ContractContent & {
  readonly id: string;
  readonly status: string;
  /** The last attempts of the contract; only for a change that makes an attempt. */
  readonly billingAttempts?: SeenAttempts;
};
type SeenAttempts = { readonly nodes: readonly { readonly idempotencyKey: string }[] };
export type ObservedDraft = ContractContent & {
  readonly billingCycle: { readonly cycleIndex: number } | null;
  readonly originalContract: ObservedContract | null;
};
export type ObservedCycle = {
  readonly cycleIndex: number;
  readonly skipped: boolean;
  readonly billingAttemptExpectedDate: string;
  /** The cycle's attempts; only for a change that makes an attempt. */
  readonly billingAttempts?: SeenAttempts;
};
/** A customer or a payment method, with its contracts, newest first. */
export type ObservedOwner = {
  /** A payment method's id; a customer's is not read. */
  readonly id?: string;
  /** A customer's default address; a payment method has none. */
  readonly defaultAddress?: { readonly id: string } | null;
  readonly subscriptionContracts: {
    readonly nodes: readonly { readonly id: string; readonly status: string }[];
  };
};

/** The state that was read before the change. Null when the object does not exist. */
export type Seen = {
  readonly subject: unknown;
  readonly cycle: ObservedCycle | null;
  /** The address, which is compared as a whole. */
  readonly address: unknown;
};

/**
 * The minimum time between two changes that reach a person, for each object that `id` names, regardless of the sender.
 */
export type Cooldown = {
  readonly minutes: number;
  /** The argument that a refusal names. */
  readonly field: string;
  /** Why it is refused, and in how many minutes to ask again. */
  readonly message: (minutes: number) => Message;
};

export type ForwardedChange = {
  /** The kind of object that `id` names, which decides what of it is read. */
  readonly reads: 'contract' | 'draft' | 'payment method' | 'customer' | 'nothing';
  readonly id?: (args: Arguments) => string;
  /** The billing cycle that is read beside it. */
  readonly cycle?: (args: Arguments) => unknown;
  /**
   * Returns the id of the customer's address. The address is read before the change and selected in its payload,
   * because the timeline does not record a change without an effect.
   */
  readonly address?: (args: Arguments) => string;
  /** Whether its payload's `contract` can be one that it made. */
  readonly makesContract?: boolean;
  /** Whether its payload has the billing attempt that it was answered with. */
  readonly makesAttempt?: boolean;
  /** Whether its payload has a job that can be read again. */
  readonly makesJob?: boolean;
  readonly cooldown?: Cooldown;
  /**
   * Returns one intent for each contract that the mutation changes, or none when the timeline has nothing to record.
   */
  readonly intentsOf: (seen: Seen, args: Arguments) => readonly ChangeIntent[];
};
