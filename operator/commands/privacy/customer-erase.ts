import {
  type EraseCustomerDeps,
  type ErasureReport,
  eraseCustomer,
} from '../../../lib/privacy/erase-customer.ts';
import { readContractNumbersOfCustomer } from '../../../lib/privacy/read-contract-numbers-of-customer.ts';
import { type CommandDefinition, type CommandRun, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { parseCustomerArgument } from '../session-list.ts';

export const customerEraseCommand: CommandDefinition = {
  group: 'customer',
  usage: 'erase <store> <customerId>',
  summary:
    'Erase a customer permanently: their sign-ins, the texts about them, and their name in the timelines of their contracts.',
  examples: [
    'customer erase harbor-coffee.myshopify.com 7001001 --env dev --dry-run',
    'customer erase harbor-coffee.myshopify.com 7001001 --env prod',
  ],
  run: runCustomerErase,
};

async function runCustomerErase(run: CommandRun): Promise<CommandOutcome> {
  const { operator } = run;
  const store = await requireStore(operator, requireArgument(run, 0));
  const customerId = parseCustomerArgument(run);
  const customerText = `Customer ${customerId} of ${store.domain} (${store.displayName})`;
  await run.confirm(`${customerText} will be erased, which cannot be undone. Continue?`);
  return run.change(`Would erase customer ${customerId} of ${store.domain}.`, async () => {
    const deps: EraseCustomerDeps = {
      ...operator,
      contractsOf: (customer) =>
        readContractNumbersOfCustomer({ ...operator, ...operator.target }, store, customer),
    };
    const report = await eraseCustomer(deps, { shopId: store.shopId, customerId }, 'operator');
    return { json: report, lines: describeErasure(report, customerText) };
  });
}

/** Returns the name of an erasure, which must not name the customer. */
export function formatErasureName({ hash }: Pick<ErasureReport, 'hash'>): string {
  return `erasure ${hash.slice(0, 8)}`;
}

function describeErasure(
  { removed, changed, contracts, hash }: ErasureReport,
  description: string,
): string[] {
  const formatCounts = (message: string, countByFamily: ErasureReport['removed']) =>
    Object.entries(countByFamily).map(([family, count]) => `  ${family}: ${count} ${message}`);
  const isNothingFound =
    [removed, changed].every((by) => Object.keys(by).length === 0) && contracts.length === 0;
  const doneText = `${description} was erased, including the text in the timelines of ${contracts.length} contracts.`;
  return [
    isNothingFound ? `No data of ${description} was found. Check that the number is correct.` : doneText,
    ...formatCounts('removed', removed),
    ...formatCounts('changed', changed),
    ...(isNothingFound ? [] : ['docs/privacy.md explains the names under "In the table".']),
    `The whole table is searched for remaining data after at least an hour. See ${formatErasureName({ hash })} in requests list for the time of the search.`,
  ];
}
