/** Removes each right in turn and checks that a test fails. In `npm test` one right, in `npm run scale` all. */
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { RIGHTS_BY_FUNCTION } from '../../../infra/definition/rights.ts';
import { isFullSize } from '../../full-size.ts';
import { rightsByTests } from '../rights-by-tests.ts';
import type { CheckedRights } from './checked-rights.ts';
import { failingWithout } from './run-without-right.ts';

/** The one that `npm test` takes out: of the file that is done soonest. */
const ONE = 'customer-graphql GetItem TIMELINE';

const allRights = Object.entries(RIGHTS_BY_FUNCTION).flatMap(([name, { table, index, secrets }]) =>
  Object.entries({ ...table, ...index, ...secrets }).flatMap(([resource, actions]) =>
    actions.map((action) => `${name} ${action} ${resource}`),
  ),
);
const extraRights = Object.entries(rightsByTests).flatMap(([file, names]) =>
  names.map((right) => [right, file] as const),
);
const checkedRights = allRights.filter((right) => !extraRights.some(([one]) => one === right));

const rows: string[] = [];
afterAll(() => {
  const table = ['| right taken out | test that fails | what is seen |', '|---|---|---|', ...rows];
  if (isFullSize) console.log(table.join('\n'));
});
const more = (others: number) => (others === 0 ? '' : ` (and ${others} more)`);

test.each(isFullSize ? extraRights : extraRights.filter(([right]) => right === ONE))(
  'without %s a test fails of %s',
  async (right, file) => {
    rows.push(`| ${right} | \`${file}\` "${await failingWithout(right, file)}" | |`);
  },
);

(isFullSize ? describe : describe.skip)('on the synthesised template', () => {
  let template: CheckedRights;
  beforeAll(async () => {
    const { startCheckedRights } = await import('./checked-rights.ts');
    template = await startCheckedRights();
  });
  afterAll(() => template?.close());

  test.each(checkedRights)('without %s a use case fails', async (right) => {
    const { title, others, seen } = await template.takeOut(right);
    rows.push(
      `| ${right} | \`tests/infra/synthesised/journey.test.ts\` "${title}"${more(others)} | ${seen} |`,
    );
  });
});
