/** What `npm start` shows when everything answers: where things are, and what to try. */
import type { StackState } from './state-file.ts';

/**
 * The lines of the banner. It shows an admin key of a demo store, so it is no log line. `stateFile`: where the demo finds
 * this run, if it is not where it looks by itself.
 */
export function banner(state: StackState, stateFile?: string): string {
  const [customer] = state.customers;
  const webhooks =
    state.webhooksUrl === undefined
      ? ''
      : `\n  Webhooks     ${state.webhooksUrl}   what a merchant’s server received`;
  const demo = stateFile === undefined ? 'npm run demo' : `npm run demo -- --state ${stateFile}`;
  return `
  Ready.

  Service      ${state.baseUrl}
  Phone page   ${state.phoneUrl}   sign in as ${customer?.email ?? 'a customer'}
  Mailbox      ${state.platformUrl}/_mailbox   the sign-in codes${webhooks}
  Admin key    ${state.adminKey}

  To try next, each in another terminal:

    curl ${state.baseUrl}/api/admin/unstable/graphql.json \\
      -H 'authorization: Bearer ${state.adminKey}' -H 'content-type: application/json' \\
      -d '{"query":"{ customer(id: \\"gid://platform/Customer/${customer?.id}\\") { displayName subscriptionContracts(first: 3) { nodes { id status } } } }"}'

    ${demo}

  Or open the phone page in a browser.

  Ctrl-C ends everything.
`;
}
