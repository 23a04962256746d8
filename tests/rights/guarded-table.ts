/**
 * The table with one function's rights: a call that the table of rights does not allow is rejected like by IAM, and
 * fails the test file even if the code ignores the rejection. So tests without a stack check the rights, too.
 */
import { afterAll, expect, test } from '@jest/globals';
import { mayCallTable, parseItemFamily, type TableCall } from '../../infra/definition/evaluate-call.ts';
import type { FunctionName } from '../../infra/definition/function-definitions.ts';
import { RIGHTS_BY_FUNCTION } from '../../infra/definition/rights.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { ItemKey, Table } from '../../lib/storage/table.ts';
import { rightsByTests } from './rights-by-tests.ts';
import { WITHOUT_RIGHT } from './without-right.ts';

const NO_RIGHTS = 'at least one right of this test file in tests/rights/rights-by-tests.ts';

const used = new Set<string>();
const refused = new Set<string>();

afterAll(() => {
  expect([...refused]).toEqual([]);
});

/** The table, as the function may use it. */
export function tableOf(name: FunctionName, table: Table): Table {
  const admit = (call: TableCall) => {
    const requiredRights = call.leadingKeys.map((key) => `${name} ${call.action} ${parseItemFamily(key)}`);
    for (const right of requiredRights) used.add(right);
    if (mayCallTable(RIGHTS_BY_FUNCTION[name], call) && !requiredRights.includes(WITHOUT_RIGHT)) return;
    refused.add(requiredRights.join(', '));
    throw new ServiceError('INTERNAL_ERROR', { internal: 'the table: AccessDeniedException' });
  };
  const one = (action: string, { pk }: ItemKey) => admit({ action, leadingKeys: [pk] });
  // A repeated write that is refused reads whether the first one did it, whose answer was lost (table-client.ts).
  const itself = (key: ItemKey, isRead: boolean) => (isRead ? one('GetItem', key) : undefined);
  return {
    async get(key) {
      one('GetItem', key);
      return table.get(key);
    },
    async batchGet(keys) {
      // A call without keys reads nothing.
      if (keys.length > 0) admit({ action: 'BatchGetItem', leadingKeys: keys.map(({ pk }) => pk) });
      return table.batchGet(keys);
    },
    async put(item, condition) {
      one('PutItem', item);
      itself(item, condition?.condition !== undefined);
      return table.put(item, condition);
    },
    async update(change) {
      one('UpdateItem', change.key);
      itself(change.key, change.writtenValues !== undefined && change.condition !== undefined);
      return table.update(change);
    },
    async delete(key, condition) {
      one('DeleteItem', key);
      return table.delete(key, condition);
    },
    async query(selection) {
      admit({ action: 'Query', index: selection.index, leadingKeys: [`${selection.values?.[':pk']}`] });
      return table.query(selection);
    },
  };
}

/** The last test of a file: it has used the rights that it holds, and no other file needs to. */
export function holdsRights(): void {
  test('every right is used that this file holds', () => {
    const { testPath = '' } = expect.getState();
    const extraRights = Object.entries(rightsByTests).find(([file]) => testPath.endsWith(`/${file}`))?.[1];
    expect([...used]).toEqual(expect.arrayContaining([...(extraRights ?? [NO_RIGHTS])]));
  });
}
