import { type CustomerId, parseCustomerId } from '../../../lib/domain/customer-id.ts';
import type { SessionId } from '../../../lib/domain/session-id.ts';
import { listCustomerSessions, revokeCustomerSessions } from '../../../lib/stores/customer-sessions.ts';
import { findStore } from '../find-store.ts';
import { OperatorError } from '../operator-error.ts';
import { shortTime, tableLines } from '../show-table.ts';
import { argument, dryRun, type Outcome, type Run, type Verb } from '../verb.ts';

export const sessionList: Verb = {
  noun: 'session',
  usage: 'list <store> <customerId>',
  summary: "A customer's sign-ins: device, since when, last used.",
  examples: ['session list harbor-coffee.myshopify.com 7001001 --env dev'],
  isReading: true,
  run: list,
};

export const sessionRevoke: Verb = {
  noun: 'session',
  usage: 'revoke <store> <customerId> [sessionId]',
  summary: 'End one sign-in of a customer, or all: the app then asks to sign in again.',
  options: { '--all': 'all of them' },
  examples: [
    'session revoke harbor-coffee.myshopify.com 7001001 --all --env dev',
    'session revoke harbor-coffee.myshopify.com 7001001 Jq0…Xw --env prod',
  ],
  run: revoke,
};

async function list(run: Run): Promise<Outcome> {
  const store = await findStore(run.operator, argument(run, 0));
  const sessions = await listCustomerSessions(run.operator, { store, customerId: readCustomer(run) });
  const rows = sessions.map((session) => ({
    id: session.id,
    state: session.state,
    device: session.device,
    'created (utc)': shortTime(session.createdAtMs),
    'last used': shortTime(session.lastUsedAtMs),
    ends: shortTime(session.endsAtMs),
  }));
  const none = ['The customer has never signed in, or long ago.'];
  return { json: sessions, lines: rows.length === 0 ? none : tableLines(rows, run.terminal.columns) };
}

async function revoke(run: Run): Promise<Outcome> {
  const store = await findStore(run.operator, argument(run, 0));
  const customerId = readCustomer(run);
  const sessionId = run.args[2];
  if ((sessionId === undefined) === (run.options.all !== true))
    throw new OperatorError('Name a session, or add --all.', 2);
  const which = sessionId === undefined ? 'all' : (sessionId as SessionId);
  await run.confirm(
    `Customer ${customerId} will be signed out${which === 'all' ? ' everywhere' : ''}. Go on?`,
  );
  if (run.isDryRun) return dryRun(`Would end ${which === 'all' ? 'all sessions' : which} of ${customerId}.`);
  const ended = await revokeCustomerSessions(run.operator, { store, customerId }, which);
  return {
    json: { ended },
    lines: [ended.length === 0 ? 'Nothing was active.' : `Ended: ${ended.join(', ')}`],
  };
}

function readCustomer(run: Run): CustomerId {
  const text = argument(run, 1);
  const customerId = parseCustomerId(text.replace(/^gid:\/\/[a-z]+\/Customer\//, ''));
  if (customerId !== undefined) return customerId;
  throw new OperatorError(`${text} is no customer: give the number, or gid://platform/Customer/<number>.`, 2);
}
