import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GroupedMap } from '../../../../../sandbox/platform/state/tables/grouped-map.ts';

type Order = { readonly contract: number; readonly customer: number };
const groupsOf = ({ contract, customer }: Order) => [`contract ${contract}`, `customer ${customer}`];

const command = fc.record({
  name: fc.constantFrom('set', 'set', 'set', 'delete', 'clear'),
  key: fc.integer({ min: 1, max: 9 }),
  order: fc.record({ contract: fc.integer({ min: 1, max: 3 }), customer: fc.integer({ min: 1, max: 2 }) }),
});

test('lists the records of each group as a scan of all records does', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
      const orders = new GroupedMap<number, Order>(groupsOf);
      for (const { name, key, order } of commands) {
        if (name === 'set') orders.set(key, order);
        else if (name === 'delete') orders.delete(key);
        else if (key === 9) orders.clear();
        for (const group of ['contract 1', 'customer 2', 'contract 7']) {
          const scanned = [...orders.values()].filter((each) => groupsOf(each).includes(group));
          expect(new Set(orders.inGroup(group))).toEqual(new Set(scanned));
          expect(orders.inGroup(group)).toHaveLength(scanned.length);
        }
      }
    }),
  );
});
