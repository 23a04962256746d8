/** The requested changes: through the service, or directly at the platform. */
import {
  incrementRevision,
  updateTimestamp,
} from '../../../../sandbox/platform/admin/resolvers/contracts/contract-changes.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import type { StoreState } from '../../../../sandbox/platform/state/state.ts';
import type { OperationWorld } from '../../../contract/world/operation-world.ts';
import { KEY_LABEL } from '../../../graphql/world/harness.ts';
import type { RecordedActor } from './expected/recorded-event.ts';
import { CARDS } from './model-extra-kinds.ts';
import { changeKinds } from './model-kinds.ts';
import { CONTRACTS, type OwnChange } from './model-script.ts';

export const DOERS: Readonly<Record<OwnChange['as'], RecordedActor>> = {
  customer: { kind: 'CUSTOMER' },
  store: { kind: 'MERCHANT', label: KEY_LABEL },
  'store for a customer': { kind: 'CUSTOMER', label: KEY_LABEL },
};

export type RequestedChange = Pick<OwnChange, 'contract' | 'name' | 'choice'>;

/** Whether both request the same change. */
export function isSameChange(one: RequestedChange, other: RequestedChange | undefined): boolean {
  const [name, otherName] = [one, other].map((each) => each?.name.replace(' for a while', ''));
  const isStatus = /pause|resume|discount|line/.test(one.name);
  return one.contract === other?.contract && name === otherName && (isStatus || one.choice === other.choice);
}

type At = { readonly first: number; readonly nowMs: number; readonly store: StoreState };
/** The contract itself stays. */
const CONCURRENT_KINDS = /skip|^move|charge|bank|new card|revoke card|contract/;

export function createChanges(firstCard: string) {
  const kinds: Readonly<
    Record<string, ReturnType<typeof changeKinds>[keyof ReturnType<typeof changeKinds>]>
  > = changeKinds(firstCard);
  const kindOf = (name: string) => {
    const kind = kinds[name];
    if (kind === undefined) throw new Error(`nobody does ${name}`);
    return kind;
  };
  return {
    /** Makes the change as another app. Returns false if it changed nothing, or if no other app makes it. */
    atPlatform(contract: ContractRecord, { name, choice }: RequestedChange, at: At): boolean {
      const kind = kindOf(name);
      if (!('changeExternally' in kind)) return false;
      const text = () => JSON.stringify([contract.content, contract.cycleEdits, ...sizesOf(at.store)]);
      const before = text();
      kind.changeExternally({ contract, choice, ...at });
      if (before === text()) return false;
      if (CONCURRENT_KINDS.test(name)) updateTimestamp(contract, at.nowMs);
      else incrementRevision(contract, at.nowMs);
      return true;
    },
    /** Returns the service's mutation and its actor, or undefined if the service has none. */
    requested(contract: ContractRecord, { name, choice, as }: OwnChange, at: At) {
      const kind = kindOf(name);
      if (!('ask' in kind)) return undefined;
      const text = kind.ask({ contract, choice, ...at });
      return { as: 'isStores' in kind ? ('store' as const) : as, text };
    },
  };
}

function sizesOf({ attempts, contracts, paymentMethods }: StoreState): unknown[] {
  return [attempts.size, contracts.size, [...paymentMethods.values()]];
}

/** Removes the charges of the past orders. */
export function clearCharges({ platform, contract }: OperationWorld): void {
  const { attempts } = platform.store();
  for (const id of CONTRACTS) contract(id).billedCycles.length = 0;
  for (const [id, { contractId }] of attempts) {
    if (CONTRACTS.some((one) => one === contractId)) attempts.delete(id);
  }
}

/** The customer's other cards. */
export function addCards({ paymentMethods }: StoreState, firstCard: string): void {
  const first = paymentMethods.get(firstCard);
  if (first === undefined) throw new Error(`no card ${firstCard}`);
  for (const [index, id] of CARDS.entries()) {
    // The first of them ends within the month.
    const ends = { expiryMonth: 11, expiryYear: 2026 + index * 9 };
    const instrument = { ...first.instrument, lastDigits: `111${index}`, ...ends };
    paymentMethods.set(id, { ...first, id, instrument } as typeof first);
  }
}
