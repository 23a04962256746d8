/**
 * The second store's customers: two with tea subscriptions, one without a subscription, and one with prepaid
 * subscriptions.
 */
import { DAY_MS, formatIsoInstant } from '../instant.ts';
import type { StoreState } from '../state.ts';
import { addContract, type ContractSeed } from './seed-contract.ts';
import { addCustomer, type CustomerSeed } from './seed-store.ts';

const [erin, femi, gwen, hugo] = [7002001, 7002002, 7002003, 7002004];

const JUNIPER_CUSTOMERS: Omit<CustomerSeed, 'createdAt'>[] = [
  {
    id: erin,
    name: ['Erin', 'Walsh'],
    email: 'erin@example.com',
    home: ['9 Walcot Street', 'Bath', 'BA1 5BG'],
  },
  {
    id: femi,
    name: ['Femi', 'Adeyemi'],
    email: 'femi@example.com',
    home: ['2 Pulteney Road', 'Bath', 'BA2 4EZ'],
  },
  { id: gwen, name: ['Gwen', 'Price'], email: 'gwen@example.com' },
  {
    id: hugo,
    name: ['Hugo', 'Lindqvist'],
    email: 'hugo@example.com',
    home: ['14 Great Pulteney Street', 'Bath', 'BA2 4BR'],
  },
];

const JUNIPER_CONTRACTS: Omit<ContractSeed, 'createdMs'>[] = [
  {
    id: 9201001,
    customerId: erin,
    planId: 830200103,
    lines: [[820200101, 2]],
    checkout: true,
    history: true,
  },
  { id: 9201002, customerId: erin, planId: 830200101, lines: [[820200201, 1]], status: 'PAUSED' },
  { id: 9201003, customerId: femi, planId: 830200102, lines: [[820200102, 1]], history: true },
  // Three deliveries for one payment of 170.00; orders on Mondays; a plan with a fixed price; three deliveries for one
  // payment, from the first of a month.
  { id: 9201004, customerId: hugo, planId: 830200203, lines: [[820200302, 1]], checkout: true },
  {
    id: 9201005,
    customerId: hugo,
    planId: 830200301,
    lines: [[820200401, 2]],
    checkout: true,
    history: true,
  },
  { id: 9201006, customerId: hugo, planId: 830200401, lines: [[820200401, 1]], history: true },
  { id: 9201007, customerId: hugo, planId: 830200304, lines: [[820200401, 1]], status: 'PAUSED' },
];

/** Adds customers and contracts. Their ids do not occur in the first store. */
export function seedJuniperCustomers(store: StoreState, nowMs: number): void {
  const createdAt = formatIsoInstant(nowMs - 200 * DAY_MS);
  for (const customerSeed of JUNIPER_CUSTOMERS) addCustomer(store, { ...customerSeed, createdAt });
  const createdMs = nowMs - 40 * DAY_MS + 284_000;
  for (const seed of JUNIPER_CONTRACTS) addContract(store, { ...seed, createdMs }, nowMs);
}
