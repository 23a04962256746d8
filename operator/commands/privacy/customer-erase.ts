import { type EraseDeps, type ErasureReport, eraseCustomer } from '../../../lib/privacy/erase-customer.ts';
import { readContracts } from '../../../lib/privacy/read-contracts.ts';
import { argument, type CommandDefinition, type Run } from '../../command.ts';
import { findStore } from '../../find-store.ts';
import type { Outcome } from '../../outcome.ts';
import { readCustomer } from '../session-list.ts';

export const customerErase: CommandDefinition = {
  group: 'customer',
  usage: 'erase <store> <customerId>',
  summary:
    'Forget a customer, for good: sign-ins go, what people wrote about them goes, and their contracts are told without them.',
  examples: [
    'customer erase harbor-coffee.myshopify.com 7001001 --env dev --dry-run',
    'customer erase harbor-coffee.myshopify.com 7001001 --env prod',
  ],
  run: erase,
};

async function erase(run: Run): Promise<Outcome> {
  const { operator } = run;
  const store = await findStore(operator, argument(run, 0));
  const customerId = readCustomer(run);
  const description = `Customer ${customerId} of ${store.domain} (${store.displayName})`;
  await run.confirm(`${description} will be erased, which cannot be undone. Go on?`);
  return run.change(`Would erase customer ${customerId} of ${store.domain}.`, async () => {
    const deps: EraseDeps = {
      ...operator,
      contractsOf: (person) => readContracts({ ...operator, ...operator.target }, store, person),
    };
    const report = await eraseCustomer(deps, { shopId: store.shopId, customerId }, 'operator');
    return { json: report, lines: describe(report, description) };
  });
}

/** Returns the name of an erasure, which must not name the customer. */
export function erasureName({ hash }: Pick<ErasureReport, 'hash'>): string {
  return `erasure ${hash.slice(0, 8)}`;
}

function describe({ removed, changed, contracts, hash }: ErasureReport, description: string): string[] {
  const counts = (message: string, by: ErasureReport['removed']) =>
    Object.entries(by).map(([family, count]) => `  ${family}: ${count} ${message}`);
  const isNothing = [removed, changed].every((by) => Object.keys(by).length === 0) && contracts.length === 0;
  const done = `${description} is erased, with the text in the timelines of ${contracts.length} contracts.`;
  return [
    isNothing ? `Nothing was found of ${description}. Make sure that the number is right.` : done,
    ...counts('removed', removed),
    ...counts('changed', changed),
    ...(isNothing ? [] : ['docs/privacy.md says what each name is, under "In the table".']),
    `In an hour at the earliest the whole table is searched for what is left. It is ${erasureName({ hash })} in requests list, which shows when it was searched.`,
  ];
}
