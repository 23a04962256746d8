/** Checks that an operator who follows the page on restoring fetches every log line that the restore replays. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseLoggedChange } from '../../lib/stores/restore/logged-change.ts';

/** The fields of all events. */
const FIELDS = {
  ...{ shopId: 81, customerId: 7, sessionId: 's', reason: 'customer', keyId: 'k', successor: 'k2' },
  ...{ revokedAtMs: 1, claimedAtMs: 1, erasedAtMs: 1, changed: [], hash: 'a'.repeat(43) },
  settings: { version: 1, enabled: false, hour: 10 },
};

const isReplayed = (message: string) => parseLoggedChange({ message, ...FIELDS }, 1).length === 1;

/** The messages that the functions' own code logs; the operators' commands write their trace. */
const logged = globSync('{functions,graphql,lib}/**/*.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/logger\.\w+\(\s*'([^']+)'/g)].map(([, message = '']) => message),
);

const page = readFileSync('docs/operators.md', 'utf8');
const [, pattern = ''] = /--filter-pattern '(\{ \(\$\.message = [^']+)'/.exec(page) ?? [];
const fetched = [...pattern.matchAll(/\$\.message = "([^"]+)"/g)].map(([, message = '']) => message);

test('the documented filter fetches every event that functions log and a restore replays, by both names', () => {
  const replayed = logged.filter(isReplayed);
  expect(replayed.length).toBeGreaterThan(4);
  const former = replayed.map((message) => message.replace('.', '_'));
  expect([...replayed, ...former].filter((message) => !fetched.includes(message))).toEqual([]);
});

test('the documented filter has only events that a restore replays', () => {
  expect(fetched.filter((message) => !isReplayed(message))).toEqual([]);
});

test('the documented filter is shorter than the limit of CloudWatch Logs', () => {
  expect(pattern.length).toBeLessThanOrEqual(1024);
});
