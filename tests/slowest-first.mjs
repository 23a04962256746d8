/**
 * The order of the test files. On a fresh clone jest knows no times and begins with the longest text, so files that start
 * stacks and have four lines would come last, and one processor would wait for them.
 */
import Sequencer from '@jest/test-sequencer';

/** More than five seconds each. */
const SLOW = [
  'tests/contract/over-http.test.ts',
  'tests/e2e/phone.test.ts',
  'tests/faults/outages.test.ts',
  'tests/docs/guides.test.ts',
  'tests/soak/soak.test.ts',
  'tests/infra/local/start/start.test.ts',
  'tests/bench/bench.test.ts',
  'tests/infra/cdk/synth-command.test.ts',
  'tests/infra/cdk/templates.test.ts',
  'tests/infra/synthesised/journey.test.ts',
  'tests/infra/operator/operator-journey.test.ts',
  'tests/contract/access/withheld-access.test.ts',
  'tests/infra/operator/command-line.test.ts',
  'tests/contract/operations/random-operations.scale.test.ts',
  'tests/lib/stores/life/store-life.test.ts',
  'tests/graphql/depth.test.ts',
  'tests/graphql/run/same-answer.scale.test.ts',
  'tests/graphql/answer/answer-size.test.ts',
  'tests/infra/local/start/start-errors.test.ts',
  'tests/functions/admin-graphql/claim/claim-page.test.ts',
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
