import { describe, expect, test } from '@jest/globals';
import { createSearchTest, type SearchFields } from '../../../../../sandbox/platform/admin/lists/search.ts';

type Item = { id: number; status: string; tags: string[]; at: string | null };

const items: Item[] = [
  { id: 1, status: 'ACTIVE', tags: ['vip', 'two words'], at: '2026-01-01T10:00:00Z' },
  { id: 2, status: 'PAUSED', tags: [], at: '2026-01-02T10:00:00Z' },
  { id: 3, status: 'ACTIVE', tags: ['vip'], at: null },
];

const fields: SearchFields<Item> = {
  id: { kind: 'number', of: ({ id }) => id },
  status: { kind: 'text', of: ({ status }) => status },
  tag: { kind: 'text', of: ({ tags }) => tags },
  at: { kind: 'instant', of: ({ at }) => at },
};

function found(query: string | null): number[] {
  return items
    .filter(createSearchTest(query, fields, ({ status, tags }) => [status, ...tags].join(' ')))
    .map(({ id }) => id);
}

describe('search queries', () => {
  test.each([
    [null, [1, 2, 3]],
    ['', [1, 2, 3]],
    ['id:2', [2]],
    ['id:>1', [2, 3]],
    ['id:>=1 id:<3', [1, 2]],
    ['id:gid://shopify/Thing/3', [3]],
    ['status:active', [1, 3]],
    ['status:ACT*', [1, 3]],
    ['status:ACTIVE AND id:1', [1]],
    ['status:PAUSED OR id:1', [1, 2]],
    ['-status:ACTIVE', [2]],
    ['NOT status:ACTIVE', [2]],
    ['tag:vip (id:1 OR id:2)', [1]],
    ['tag:"two words"', [1]],
    ["tag:'two words'", [1]],
    ['at:2026-01-01', [1]],
    ['at:>2026-01-01T10:00:00Z', [2]],
    ['at:<="2026-01-01T10:00:00Z"', [1]],
    ['at:>2026-01-01T11:00:00+02:00', [1, 2]],
    ['words', [1]],
    ['unknown_field:1', [1, 2, 3]],
    ['id:9', []],
  ])('%j finds %j', (query, ids) => {
    expect(found(query)).toEqual(ids);
  });

  test('an instant that is none is an error', () => {
    expect(() => found('at:yesterday')).toThrow('Invalid timestamp for query filter `at`.');
  });

  test.each(['(', ')', 'NOT', 'OR', 'AND', '((id:1', 'id:'])('%j does not break', (query) => {
    expect(() => found(query)).not.toThrow();
  });
});
