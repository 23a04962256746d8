/** The changes of contracts that a forwarded mutation makes. Its record in graphql/mutations describes them. */
import type { OperationError } from '../../lib/subscriptions/operation-error.ts';
import type { ChangeIntent } from '../../lib/timeline/run-change.ts';
import type { ContractContent } from '../../lib/timeline/settle/contract-content.ts';
import type { RunContext } from './run-context.ts';

// biome-ignore lint/suspicious/noExplicitAny: coerced arguments of many mutations, each as its schema says.
export type MutationArguments = Readonly<Record<string, any>>;

export type ObservedContract = ContractContent & {
  readonly id: string;
  readonly status: string;
  /** The last attempts of the contract; only for a change that makes an attempt. */
  readonly billingAttempts?: ObservedAttempts;
};
type ObservedAttempts = { readonly nodes: readonly { readonly idempotencyKey: string }[] };
export type ObservedDraft = ContractContent & {
  readonly billingCycle: { readonly cycleIndex: number } | null;
  readonly originalContract: ObservedContract | null;
};
export type ObservedCycle = {
  readonly cycleIndex: number;
  readonly skipped: boolean;
  readonly billingAttemptExpectedDate: string;
  /** The cycle's attempts; only for a change that makes an attempt. */
  readonly billingAttempts?: ObservedAttempts;
};
/** A customer or a payment method, with its contracts, newest first. */
export type ObservedContractOwner = {
  /** The id of a payment method; the id of a customer is not read. */
  readonly id?: string;
  /** A customer's default address; a payment method has none. */
  readonly defaultAddress?: { readonly id: string } | null;
  /** The first addresses of a customer; only for a change that adds one. */
  readonly addressesV2?: { readonly nodes: readonly object[] };
  readonly subscriptionContracts: {
    readonly nodes: readonly { readonly id: string; readonly status: string }[];
  };
};

/**
 * How many objects a change can add while a customer is acting. Such changes of one object that `id` names run one at a
 * time, and each reads the state only when it runs, so that concurrent requests cannot exceed the maximum.
 */
export type AdditionLimit = {
  /** At most the size of a page. */
  readonly maximum: number;
  readonly refusal: OperationError;
};

/** The state that was read before the change. Null when the object does not exist. */
export type PriorState = {
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
  /** The argument in the path of the refusal. */
  readonly field: string;
  /** Returns the refusal, with the minutes until a retry. */
  readonly refusal: (field: string, minutes: number) => OperationError;
};

export type ForwardedChange = {
  /** The type of the object that `id` names. It determines the fields that are read. */
  readonly reads: 'contract' | 'draft' | 'payment method' | 'customer' | 'nothing';
  readonly id?: (args: MutationArguments) => string;
  /** Returns the billing cycle that is read together with the object. */
  readonly cycle?: (args: MutationArguments) => unknown;
  /**
   * Returns the id of the customer's address. The address is read before the change and selected in its payload,
   * because the timeline does not record a change without an effect.
   */
  readonly address?: (args: MutationArguments) => string;
  /** Whether the payload has a new address, which a retry reads again. */
  readonly makesAddress?: boolean;
  readonly limit?: AdditionLimit;
  /** Whether the payload's `contract` can be a new one. */
  readonly makesContract?: boolean;
  /** Whether the payload has the billing attempt that the mutation made. */
  readonly makesAttempt?: boolean;
  /** Whether the payload has a job, which a retry reads again. */
  readonly makesJob?: boolean;
  readonly cooldown?: Cooldown;
  /** Reads from the table why the store may not send the mutation now; undefined when it may. */
  readonly readRefusal?: (
    context: Pick<RunContext, 'store' | 'table' | 'now'>,
  ) => Promise<OperationError | undefined>;
  /**
   * Reads from the table why the store may not make another attempt of an order now; undefined when it may. Only for a change
   * that makes an attempt. `cycleIndex` is undefined when the request names no cycle.
   */
  readonly readAttemptRefusal?: (
    context: RunContext,
    order: { readonly contractId: string; readonly cycleIndex: number | undefined },
  ) => Promise<OperationError | undefined>;
  /**
   * Returns one intent for each contract that the mutation changes, or none when the timeline has nothing to record.
   */
  readonly intentsOf: (priorState: PriorState, args: MutationArguments) => readonly ChangeIntent[];
};
