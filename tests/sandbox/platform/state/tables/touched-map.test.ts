import { describe, expect, test } from '@jest/globals';
import { TouchedMap } from '../../../../../sandbox/platform/state/tables/touched-map.ts';

describe('a map of records lists as possibly changed', () => {
  const taken = (change: (records: TouchedMap<number, string>) => unknown) => {
    const records = new TouchedMap([
      [1, 'one'],
      [2, 'two'],
    ]);
    records.takeTouched();
    change(records);
    return [...records.takeTouched()];
  };

  test('the records that it is created with', () => {
    expect([...new TouchedMap([[1, 'one']]).takeTouched()]).toEqual([[1, 'one']]);
  });

  test('a record that was taken by its id, added or replaced', () => {
    expect(taken((records) => records.get(2))).toEqual([[2, 'two']]);
    expect(taken((records) => records.set(3, 'three').set(1, 'uno'))).toEqual([
      [3, 'three'],
      [1, 'uno'],
    ]);
  });

  test('no record that was only read, deleted or is not there', () => {
    expect(taken((records) => [records.peek(1), ...records.values(), records.get(9)])).toEqual([]);
    expect(taken((records) => [records.get(1), records.delete(1)])).toEqual([]);
  });

  test('changes that were not taken before', () => {
    const records = new TouchedMap([[1, 'one']]);
    expect([records.hasTouched(), records.takeTouched().size, records.hasTouched()]).toEqual([
      true,
      1,
      false,
    ]);
    expect(records.takeTouched().size).toBe(0);
  });
});
