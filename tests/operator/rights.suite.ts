/**
 * Checks the operators' policy in both directions: each call of a command is allowed, and each allowed call is used by
 * a command.
 */
import { expect, test } from '@jest/globals';
import { matches } from '../infra/synthesised/recording-proxy.ts';
import type { OperatorWorld } from './operator-world.ts';

/** Allowed, and called by nothing here, for a reason. */
const UNCALLED: readonly { readonly action: RegExp; readonly reason: string }[] = [
  {
    action: /^kms:/,
    reason: "DynamoDB uses the table's key in the caller's name; the stand-in does not encrypt",
  },
  {
    action: /^dynamodb:Update(ContinuousBackups|Table|TimeToLive)$/,
    reason: 'protect a restored table; the stand-in knows none of these settings',
  },
];

/** Comes after the tests of all verbs. */
export function rightsSuite(getWorld: () => OperatorWorld): void {
  test('every verb was run under the policy, and was refused nothing', async () => {
    const { rights, json, putItem } = getWorld();
    const gone = { shopId: 81234567009, status: 'purging', purgeMarkedAtMs: 0 };
    await putItem({ pk: 'STORE#81234567009', sk: 'STORE', ...gone });
    await json(['store', 'purge', '81234567009', '--yes']);
    // A test names a table that does not exist.
    expect(rights.refused().filter((call) => !call.endsWith('/no-such-table'))).toEqual([]);
  });

  test('it allows nothing that no verb calls', () => {
    const { rights } = getWorld();
    const allowed = rights.rights.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action);
    const uncalled = new Set(allowed.filter((action) => !rights.used().has(action)));
    expect(
      [...uncalled].filter((action) => !UNCALLED.some(({ action: known }) => known.test(action))),
    ).toEqual([]);
    for (const { action } of UNCALLED) expect([...uncalled].some((each) => action.test(each))).toBe(true);
  });

  test.each([
    'DeleteLogGroup',
    'DeleteLogStream',
    'PutRetentionPolicy',
    'DeleteRetentionPolicy',
    'PutLogGroupDeletionProtection',
    'PutDataProtectionPolicy',
    'AssociateKmsKey',
  ])('it denies %s of the trace, and allows it nowhere', (name) => {
    const { rights } = getWorld().rights;
    const of = (effect: string) =>
      rights.filter(({ Effect }) => Effect === effect).flatMap(({ Action }) => Action);
    expect(of('Deny')).toContain(`logs:${name}`);
    expect(of('Allow').filter((pattern) => matches(pattern, `logs:${name}`, 'i'))).toEqual([]);
  });
}
