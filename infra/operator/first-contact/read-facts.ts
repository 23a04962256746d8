/** The shop and the contracts that were named, before anybody is asked for anything. */

import { OperatorError } from '../operator-error.ts';
import { createLab, type LabParts, type LabRequest } from './lab.ts';
import { createLedger } from './ledger.ts';
import { readShop, type ShopFacts } from './read-shop.ts';
import { readTestContract, type TestContract } from './test-contract.ts';
import { Unmeasurable } from './unmeasurable.ts';

export type MeasuredShop = { readonly shop: ShopFacts; readonly contracts: readonly TestContract[] };
export type FactsRequest = Omit<LabRequest, 'shop' | 'contracts' | 'ledger'> & {
  readonly numbers: readonly string[];
  readonly isLiveStore: boolean;
};

const UNKNOWN: ShopFacts = {
  ...{ myshopifyDomain: '', host: '', plan: '', createdAt: '' },
  isDevelopment: false,
  scopes: undefined,
};

/** OperatorError if the shop is not one to be measured, or a contract is not there. */
export async function readFacts(parts: LabParts, request: FactsRequest): Promise<MeasuredShop> {
  const { numbers, isLiveStore, ...common } = request;
  const ledger = createLedger(() => undefined);
  const { ask } = createLab(parts, { ...common, ledger, shop: UNKNOWN, contracts: [] });
  try {
    const shop = await readShop(ask);
    if (!shop.isDevelopment && !isLiveStore) throw new OperatorError(liveStore(common.store.domain, shop));
    const contracts: TestContract[] = [];
    for (const number of numbers) {
      const id = `gid://${parts.target.platformGidNamespace}/SubscriptionContract/${number}`;
      contracts.push(await readTestContract(ask, id).catch((error) => Promise.reject(absent(number, error))));
    }
    return { shop, contracts };
  } catch (error) {
    if (error instanceof Unmeasurable) throw new OperatorError(error.message);
    throw error;
  }
}

/** The platform gives no reason for a contract that is not there, or not of this app. */
function absent(number: string, error: unknown): unknown {
  if (!(error instanceof Unmeasurable)) return error;
  return new OperatorError(
    `There is no contract ${number} of this app in the store (${error.message}) Its number stands at the end of its id, ` +
      "as `subscriptionContracts` has it, and of the address of its page in the store's admin.",
  );
}

function liveStore(domain: string, { plan }: ShopFacts): string {
  return `${domain} is no development store (plan ${plan}): its customers and their money are real. Take a development store, or say --live-store.`;
}
