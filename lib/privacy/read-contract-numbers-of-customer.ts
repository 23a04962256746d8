/**
 * Reads a customer's contracts from the platform before the platform erases the customer. The sweep then has less to
 * find.
 */
import { formatGid } from '../domain/gid.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SendWithinBudget } from '../platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../storage/stores.ts';
import { contractNumberOfGid } from '../timeline/event-record.ts';
import type { CustomerOfStore } from './erasure-subject.ts';

type Deps = {
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly now: () => number;
};
type ContractsPageResponse = {
  readonly subscriptionContracts?: {
    readonly nodes: readonly { readonly id: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};

const CONTRACTS_OF_CUSTOMER_DOCUMENT = `query($id: ID!, $after: String) { customer(id: $id) {
  subscriptionContracts(first: 100, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;
const MAX_CONTRACT_PAGES = 10;
const MAX_CONTRACTS_PAGE_READ_MS = 20_000;

/** Returns the numbers of the customer's contracts, at most 1,000. Empty when the platform does not return them. */
export async function readContractNumbersOfCustomer(
  { sendWithinBudget, platformGidNamespace: gidNamespace, now }: Deps,
  store: StoreRecord,
  { customerId }: CustomerOfStore,
): Promise<readonly string[]> {
  if (store.status !== 'installed') return [];
  const id = formatGid({ namespace: gidNamespace, type: 'Customer', tail: `${customerId}` });
  const contractNumbers: string[] = [];
  let afterCursor: string | null = null;
  for (let pageIndex = 0; pageIndex < MAX_CONTRACT_PAGES; pageIndex++) {
    const contractsPage: ContractsPageResponse['subscriptionContracts'] = await requestContractsPage(
      { sendWithinBudget, now },
      store,
      {
        id,
        after: afterCursor,
      },
    );
    if (contractsPage === undefined) break;
    contractNumbers.push(...contractsPage.nodes.flatMap((node) => contractNumberOfGid(node.id) ?? []));
    afterCursor = contractsPage.pageInfo.endCursor;
    if (!contractsPage.pageInfo.hasNextPage) break;
  }
  return contractNumbers;
}

async function requestContractsPage(
  { sendWithinBudget, now }: Pick<Deps, 'sendWithinBudget' | 'now'>,
  store: StoreRecord,
  variables: Readonly<Record<string, unknown>>,
): Promise<ContractsPageResponse['subscriptionContracts']> {
  try {
    const endAtMs = now() + MAX_CONTRACTS_PAGE_READ_MS;
    const operation = {
      store,
      document: CONTRACTS_OF_CUSTOMER_DOCUMENT,
      variables,
      mutates: false,
      costKey: CONTRACTS_OF_CUSTOMER_DOCUMENT,
      endAtMs,
    };
    const { data } = await sendWithinBudget(operation);
    return (data?.customer as ContractsPageResponse | null | undefined)?.subscriptionContracts;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
