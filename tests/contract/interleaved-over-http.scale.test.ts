/**
 * The contract tests over HTTP again, with each function in one process that serves all its requests at once, among 63
 * requests of another store that are always under way: all expectations hold, and the others get what is theirs.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { isFullSize } from '../full-size.ts';

// The modules read it when they are loaded.
process.env.AMONG_OTHER_REQUESTS = 'yes';
const { startOtherRequests } = await import('./world/other-requests.ts');

let others: Awaited<ReturnType<typeof startOtherRequests>> | undefined;
if (isFullSize) {
  const shared = await import('./world/shared-stack.ts');
  beforeAll(async () => {
    others = await startOtherRequests(shared.stack);
  });
  // All suites of over-http.test.ts but the operator's, which takes the other store away.
  await import('./secrets.suite.ts');
  await import('./sign-in.suite.ts');
  await import('./graphql.suite.ts');
  await import('./keys-and-sign-ins.suite.ts');
  await import('./change-events.suite.ts');
  await import('./graphql-audits.suite.ts');
  await import('./hostile-values.suite.ts');
  await import('../faults/parallel.suite.ts');
  await import('./platform-documents.suite.ts');
  await import('./busy-store.suite.ts');
  await import('./retry-times.suite.ts');
}

(isFullSize ? test : test.skip)('63 requests of another store got what is theirs all the time', async () => {
  expect(others?.count()).toBeGreaterThan(1_000);
  expect(await others?.stop()).toEqual([]);
});
