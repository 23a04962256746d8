import { type CustomerId, parseCustomerId } from '../../lib/domain/customer-id.ts';
import { listCustomerSessions } from '../../lib/sign-in/sessions/customer-sessions.ts';
import { type CommandDefinition, type Run, requiredArgument } from '../command.ts';
import { findStore } from '../find-store.ts';
import { OperatorError } from '../operator-error.ts';
import type { Outcome } from '../outcome.ts';
import { shortTime, tableLines } from '../show-table.ts';

export const sessionList: CommandDefinition = {
  group: 'session',
  usage: 'list <store> <customerId>',
  summary: "List a customer's sign-ins: device, creation, last use.",
  examples: ['session list harbor-coffee.myshopify.com 7001001 --env dev'],
  isReading: true,
  run: listSessions,
};

async function listSessions(run: Run): Promise<Outcome> {
  const store = await findStore(run.operator, requiredArgument(run, 0));
  const sessions = await listCustomerSessions(run.operator, { store, customerId: readCustomer(run) });
  const rows = sessions.map((session) => ({
    id: session.id,
    state: session.state,
    device: session.device,
    'created (utc)': shortTime(session.createdAtMs),
    'last used': shortTime(session.lastUsedAtMs),
    ends: shortTime(session.endsAtMs),
  }));
  const none = ['The customer has never signed in, or not for a long time.'];
  return { json: sessions, lines: rows.length === 0 ? none : tableLines(rows, run.terminal.columns) };
}

/** The customer that is named behind the store. */
export function readCustomer(run: Run): CustomerId {
  const text = requiredArgument(run, 1);
  const customerId = parseCustomerId(text.replace(/^gid:\/\/[a-z]+\/Customer\//, ''));
  if (customerId !== undefined) return customerId;
  throw new OperatorError(
    `${text} is not a customer. Give the number, or gid://platform/Customer/<number>.`,
    2,
  );
}
