/**
 * The table as one function has it: what the table of rights does not allow is refused as IAM would, and fails the test
 * file, whatever the code under test makes of the refusal. So tests without a stack run under the rights, too.
 */
import { afterAll, expect, test } from '@jest/globals';
import type { FunctionName } from '../../infra/definition/function-definitions.ts';
import { familyOf, mayCallTable, type TableCall } from '../../infra/definition/judge-call.ts';
import { rights } from '../../infra/definition/rights.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { ItemKey, Table } from '../../lib/storage/table.ts';
import { heldByTests } from './held-rights.ts';
import { WITHOUT_RIGHT } from './without-right.ts';

const used = new Set<string>();
const refused = new Set<string>();

afterAll(() => {
  expect([...refused]).toEqual([]);
});

/** The table, as the function may use it. */
export function tableOf(name: FunctionName, table: Table): Table {
  const admit = (call: TableCall) => {
    const asked = call.leadingKeys.map((key) => `${name} ${call.verb} ${familyOf(key)}`);
    for (const right of asked) used.add(right);
    if (mayCallTable(rights[name], call) && !asked.includes(WITHOUT_RIGHT)) return;
    refused.add(asked.join(', '));
    throw new ServiceError('INTERNAL_ERROR', { internal: 'the table: AccessDeniedException' });
  };
  const one = (verb: string, { pk }: ItemKey) => admit({ verb, leadingKeys: [pk] });
  // A repeated write that is refused reads whether the first one did it, whose answer was lost (table-over.ts).
  const itself = (key: ItemKey, isRead: boolean) => (isRead ? one('GetItem', key) : undefined);
  return {
    async get(key) {
      one('GetItem', key);
      return table.get(key);
    },
    async batchGet(keys) {
      // Nobody is asked for nothing.
      if (keys.length > 0) admit({ verb: 'BatchGetItem', leadingKeys: keys.map(({ pk }) => pk) });
      return table.batchGet(keys);
    },
    async put(item, condition) {
      one('PutItem', item);
      itself(item, condition?.condition !== undefined);
      return table.put(item, condition);
    },
    async update(change) {
      one('UpdateItem', change.key);
      itself(change.key, change.leaves !== undefined && change.condition !== undefined);
      return table.update(change);
    },
    async delete(key, condition) {
      one('DeleteItem', key);
      return table.delete(key, condition);
    },
    async query(selection) {
      admit({ verb: 'Query', index: selection.index, leadingKeys: [`${selection.values?.[':pk']}`] });
      return table.query(selection);
    },
  };
}

/** The last test of a file: it has used the rights that it holds, and no other file needs to. */
export function holdsRights(): void {
  test('every right is used that this file holds', () => {
    const { testPath = '' } = expect.getState();
    const held = Object.entries(heldByTests).find(([file]) => testPath.endsWith(`/${file}`))?.[1];
    expect([...used]).toEqual(expect.arrayContaining([...(held ?? ['none'])]));
  });
}
