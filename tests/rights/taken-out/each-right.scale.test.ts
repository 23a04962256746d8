/** Each right is taken out in turn, and a test fails. In `npm test` one, in `npm run scale` all. */
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { rights } from '../../../infra/definition/rights.ts';
import { isFullSize } from '../../full-size.ts';
import { heldByTests } from '../held-rights.ts';
import type { PlayedRights } from './played-rights.ts';
import { failingWithout } from './run-without-right.ts';

/** The one that `npm test` takes out: of the file that is done soonest. */
const ONE = 'customer-graphql GetItem TIMELINE';

const allRights = Object.entries(rights).flatMap(([name, { table, index, secrets }]) =>
  Object.entries({ ...table, ...index, ...secrets }).flatMap(([thing, verbs]) =>
    verbs.map((verb) => `${name} ${verb} ${thing}`),
  ),
);
const held = Object.entries(heldByTests).flatMap(([file, names]) =>
  names.map((right) => [right, file] as const),
);
const played = allRights.filter((right) => !held.some(([one]) => one === right));

const rows: string[] = [];
afterAll(() => {
  const table = ['| right taken out | test that fails | what is seen |', '|---|---|---|', ...rows];
  if (isFullSize) console.log(table.join('\n'));
});
const more = (others: number) => (others === 0 ? '' : ` (and ${others} more)`);

test.each(isFullSize ? held : held.filter(([right]) => right === ONE))(
  'without %s a test fails of %s',
  async (right, file) => {
    rows.push(`| ${right} | \`${file}\` "${await failingWithout(right, file)}" | |`);
  },
);

(isFullSize ? describe : describe.skip)('on the synthesised template', () => {
  let template: PlayedRights;
  beforeAll(async () => {
    const { startPlayedRights } = await import('./played-rights.ts');
    template = await startPlayedRights();
  });
  afterAll(() => template?.close());

  test.each(played)('without %s a use case fails', async (right) => {
    const { title, others, seen } = await template.takeOut(right);
    rows.push(
      `| ${right} | \`tests/infra/synthesised/journey.test.ts\` "${title}"${more(others)} | ${seen} |`,
    );
  });
});
