import { type CustomerId, parseCustomerId } from '../../lib/domain/customer-id.ts';
import { listCustomerSessions } from '../../lib/sign-in/sessions/list-customer-sessions.ts';
import { type CommandDefinition, type CommandRun, requireArgument } from '../command.ts';
import { requireStore } from '../find-store.ts';
import { OperatorError } from '../operator-error.ts';
import type { CommandOutcome } from '../outcome.ts';
import { formatShortTime, formatTable } from '../show-table.ts';

export const sessionListCommand: CommandDefinition = {
  group: 'session',
  usage: 'list <store> <customerId>',
  summary: "List a customer's sign-ins: device, creation, last use.",
  examples: ['session list harbor-coffee.myshopify.com 7001001 --env dev'],
  isReadOnly: true,
  run: listSessions,
};

async function listSessions(run: CommandRun): Promise<CommandOutcome> {
  const store = await requireStore(run.operator, requireArgument(run, 0));
  const sessions = await listCustomerSessions(run.operator, {
    store,
    customerId: parseCustomerArgument(run),
  });
  const sessionRows = sessions.map((session) => ({
    id: session.id,
    state: session.state,
    device: session.device,
    'created (utc)': formatShortTime(session.createdAtMs),
    'last used': formatShortTime(session.lastUsedAtMs),
    ends: formatShortTime(session.endsAtMs),
  }));
  const emptyLines = ['The customer has never signed in, or not for a long time.'];
  return {
    json: sessions,
    lines: sessionRows.length === 0 ? emptyLines : formatTable(sessionRows, run.terminal.columns),
  };
}

/** Returns the customer that the second argument names. */
export function parseCustomerArgument(run: CommandRun): CustomerId {
  const customerText = requireArgument(run, 1);
  const customerId = parseCustomerId(customerText.replace(/^gid:\/\/[a-z]+\/Customer\//, ''));
  if (customerId !== undefined) return customerId;
  throw new OperatorError(
    `${customerText} is not a customer. Give the number, or gid://platform/Customer/<number>.`,
    2,
  );
}
