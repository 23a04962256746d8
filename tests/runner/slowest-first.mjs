/**
 * The order of the test files. On a fresh clone jest knows no times and begins with the longest text, so files that start
 * stacks and have four lines would come last, and one processor would wait for them.
 */
import Sequencer from '@jest/test-sequencer';

/**
 * The files that take more than five seconds. The first three, which start together, have no bundles in common; later
 * files find the bundles built.
 */
const SLOW = [
  'tests/e2e/web/pages.test.ts',
  'tests/faults/outages.test.ts',
  'tests/infra/cdk/templates.test.ts',
  'tests/docs/nightly-job.test.ts',
  'tests/docs/guides.test.ts',
  'tests/e2e/payments.test.ts',
  'tests/clients/react/package.test.ts',
  'tests/contract/over-http.test.ts',
  'tests/soak/soak.test.ts',
  'tests/clients/in-browser/in-browser.scale.test.ts',
  'tests/billing/run/billing-run.scale.test.ts',
  'tests/docs/first-contact.scale.test.ts',
  'tests/infra/synthesised/journey.test.ts',
  'tests/contract/postponement/two-callers.scale.test.ts',
  'tests/bench/bench.test.ts',
  'tests/operator/store-check.test.ts',
  'tests/operator/command-line/command-line.test.ts',
  'tests/billing/run/named-crashes.scale.test.ts',
  'tests/billing/run/named-orders.test.ts',
  'tests/billing/run/runs.test.ts',
  'tests/lib/store-events/model/model.scale.test.ts',
  'tests/billing/oracle/random/properties.scale.test.ts',
  'tests/contract/money/customer-changes/customer-changes.scale.test.ts',
  'tests/contract/postponement/crash-points.scale.test.ts',
  'tests/contract/postponement/named-histories.test.ts',
  'tests/contract/postponement/order-histories.scale.test.ts',
  'tests/graphql/schema/generated.test.ts',
  'tests/infra/cdk/synth-command.test.ts',
  'tests/contract/access/withheld-access.test.ts',
  'tests/contract/order-dates/attacks.scale.test.ts',
  'tests/sandbox/local/start/start.test.ts',
  'tests/functions/headless-auth/handler.test.ts',
  'tests/graphql/roots/idempotency/idempotency.test.ts',
  'tests/tools/compatibility/breaks.test.ts',
  'tests/flood/flood.scale.test.ts',
  'tests/graphql/run/same-answer.scale.test.ts',
  'tests/functions/admin-graphql/claim/claim-page.test.ts',
  'tests/graphql/customer-table.scale.test.ts',
  'tests/lib/stores/lifecycle/store-lifecycle.test.ts',
  'tests/sandbox/local/start/start-errors.test.ts',
  'tests/sandbox/local/functions/pool.test.ts',
  'tests/graphql/depth.test.ts',
  'tests/functions/hostile/hostile.scale.test.ts',
  'tests/architecture/walk.test.ts',
  'tests/architecture/arrows.test.ts',
  'tests/lib/storage/aws-client/lost-updates.test.ts',
  'tests/sandbox/platform/server/persistence.test.ts',
  'tests/e2e/restore.test.ts',
  'tests/lib/storage/versioned-secret.test.ts',
  'tests/graphql/roots/line-options/line-options.test.ts',
  'tests/graphql/response/response-size.test.ts',
];

export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = SLOW.findIndex((slow) => path.endsWith(slow));
      return place < 0 ? SLOW.length : place;
    };
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
