/**
 * The next cycles of remembered contracts, which are read together with the first request of a query. They save a
 * second request in sequence, and are used only for contracts that the first response proves to be the customer's.
 */
import type { NextCycle } from '../../lib/subscriptions/cycles/next-order.ts';
import type { IncludeCondition, Variables } from './client-document.ts';

/** The first cycles of a contract within a range of dates. */
export type CyclePage = {
  readonly nodes: readonly NextCycle[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** A list of the customer's contracts in the client's document, with the next order of each contract. */
export type ContractList = {
  /** The client's conditions. The response has next orders if one of these lists holds. */
  readonly when: readonly (readonly IncludeCondition[])[];
  /** Returns the maximum number of contracts on the list's first page; 0 for a later page. */
  readonly readSize: (variables: Variables) => number;
};

export type CyclePrefetch = {
  /** Starts to read, on the first call. */
  readonly start: () => void;
  /** Returns the pages that were read from now on, by the platform's id of the contract. Never rejects. */
  readonly readPages: () => Promise<ReadonlyMap<string, CyclePage>>;
  /** Remembers the contracts for later requests if they have changed. Does not wait for the write. */
  readonly remember: (listed: ListedContracts) => void;
};

/**
 * The contracts in a response, by the platform's id. `charged`: those that are charged from now on, so that their next
 * cycles are needed.
 */
export type ListedContracts = { readonly all: readonly string[]; readonly charged: readonly string[] };
