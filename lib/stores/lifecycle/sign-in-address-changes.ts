/**
 * Updates the pinned sign-in addresses of stores. The addresses are read once and then pinned, so those that are pinned
 * are those that the operator has confirmed.
 */
import { forEachStore } from '../../storage/for-each-store.ts';
import type { SignInAddresses, StoreRecord } from '../../storage/stores.ts';
import { errorTextOfFinding } from '../checks/error-text-of-finding.ts';
import {
  type DiscoverSignIn,
  listMovedAddresses,
  type MovedAddress,
  readSignInAddresses,
} from '../read-sign-in-addresses.ts';
import { type UpdateStoreDeps, updateStore } from './update-store.ts';

/**
 * The sign-in addresses that the platform publishes for a store now (`after`), compared with the pinned ones
 * (`before`). `failed` means that they cannot be read or must not be pinned, for the reason in `problem`.
 */
export type SignInAddressChange = Pick<StoreRecord, 'domain' | 'shopId'> & {
  readonly outcome: 'unchanged' | 'moved' | 'failed';
  readonly before: SignInAddresses;
  readonly after?: SignInAddresses;
  readonly moved: readonly MovedAddress[];
  readonly problem?: string;
};

type AddressChangeSearch = {
  readonly stores: readonly StoreRecord[];
  readonly trustedIssuer?: string | undefined;
};

/**
 * Returns the result for each store, in the order of the stores. A store whose addresses are slow to read does not
 * delay the others.
 */
export async function findSignInAddressChanges(
  deps: { readonly discoverSignIn: DiscoverSignIn },
  { stores, trustedIssuer }: AddressChangeSearch,
): Promise<SignInAddressChange[]> {
  return mapStoresInOrder(stores, async ({ shopId, domain, signIn: addressesBefore }) => {
    const addressesPromise = readSignInAddresses(deps, {
      shopId,
      domain,
      pinned: addressesBefore,
      trustedIssuer,
    });
    return addressesPromise.then(
      (after) => {
        const movedAddresses = listMovedAddresses(addressesBefore, after);
        const outcome = movedAddresses.length === 0 ? ('unchanged' as const) : ('moved' as const);
        return { domain, shopId, outcome, before: addressesBefore, after, moved: movedAddresses };
      },
      (error: unknown) => ({
        domain,
        shopId,
        outcome: 'failed' as const,
        before: addressesBefore,
        moved: [],
        problem: errorTextOfFinding(error),
      }),
    );
  });
}

/**
 * Pins the addresses that have moved. Returns the list again, with `failed` where that was not possible. Can be
 * repeated.
 */
export async function pinChangedSignInAddresses(
  deps: UpdateStoreDeps,
  changes: readonly SignInAddressChange[],
): Promise<SignInAddressChange[]> {
  return mapStoresInOrder(changes, async (change) => {
    const { shopId, before, after, outcome } = change;
    if (outcome !== 'moved' || after === undefined) return change;
    return updateStore(deps, { shopId, properties: {}, signIn: { before, after } }).then(
      () => change,
      (error: unknown) => ({ ...change, outcome: 'failed' as const, problem: errorTextOfFinding(error) }),
    );
  });
}

async function mapStoresInOrder<Element extends Pick<StoreRecord, 'shopId'>, Result>(
  elements: readonly Element[],
  work: (element: Element) => Promise<Result>,
): Promise<Result[]> {
  const resultByStore = new Map<Element, Result>();
  await forEachStore(elements, async (_shopId, elementsOfStore) => {
    for (const element of elementsOfStore) resultByStore.set(element, await work(element));
  });
  return elements.map((element) => resultByStore.get(element) as Result);
}
