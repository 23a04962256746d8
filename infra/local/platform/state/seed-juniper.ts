/** The second store's people: two who drink tea, and one who only looks. */
import { dayMs, isoInstant } from './instant.ts';
import { newContract } from './seed-contract.ts';
import { newCustomer } from './seed-store.ts';
import type { StoreState } from './state.ts';

const [erin, femi, gwen] = [7002001, 7002002, 7002003];

/** Adds customers and contracts. No id of theirs occurs in the first store. */
export function seedJuniperCustomers(store: StoreState, nowMs: number): void {
  const createdAt = isoInstant(nowMs - 200 * dayMs);
  newCustomer(store, {
    id: erin,
    name: ['Erin', 'Walsh'],
    email: 'erin@example.com',
    createdAt,
    home: ['9 Walcot Street', 'Bath', 'BA1 5BG'],
  });
  newCustomer(store, {
    id: femi,
    name: ['Femi', 'Adeyemi'],
    email: 'femi@example.com',
    createdAt,
    home: ['2 Pulteney Road', 'Bath', 'BA2 4EZ'],
  });
  newCustomer(store, { id: gwen, name: ['Gwen', 'Price'], email: 'gwen@example.com', createdAt });
  const createdMs = nowMs - 40 * dayMs + 284_000;
  newContract(
    store,
    { id: 9201001, customerId: erin, createdMs, planId: 830200103, lines: [[820200101, 2]], history: true },
    nowMs,
  );
  newContract(
    store,
    {
      id: 9201002,
      customerId: erin,
      createdMs,
      planId: 830200101,
      lines: [[820200201, 1]],
      status: 'PAUSED',
    },
    nowMs,
  );
  newContract(
    store,
    { id: 9201003, customerId: femi, createdMs, planId: 830200102, lines: [[820200102, 1]], history: true },
    nowMs,
  );
}
