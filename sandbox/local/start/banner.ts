/** The text that `npm start` prints when all parts are ready: their addresses, and what to try. */
import type { RunningStackDescription } from './stack-file.ts';

/**
 * Returns the lines of the banner. They contain an admin key of a demo store, so they are not logged. `stateFile` is
 * the state's path when it is not the demo's default.
 */
export function formatBanner(state: RunningStackDescription, stackFile?: string): string {
  const [customer] = state.customers;
  const webhooks =
    state.merchantServerUrl === undefined
      ? ''
      : `\n  Webhooks     ${state.merchantServerUrl}   what a merchant’s server received`;
  const demoCommand = stackFile === undefined ? 'npm run demo' : `npm run demo -- --state ${stackFile}`;
  return `
  Ready.

  Service      ${state.baseUrl}
  Store        ${state.shop}
  Phone page   ${state.phoneUrl}   sign in as ${customer?.email ?? 'a customer'}
  Mailbox      ${state.platformUrl}/_mailbox   the sign-in codes${webhooks}
  Admin key    ${state.adminKey}

  To try next, each in another terminal:

    curl ${state.baseUrl}/api/admin/unstable/graphql.json \\
      -H 'authorization: Bearer ${state.adminKey}' -H 'content-type: application/json' \\
      -d '{"query":"{ customer(id: \\"gid://platform/Customer/${customer?.id}\\") { displayName subscriptionContracts(first: 3) { nodes { id status } } } }"}'

    ${demoCommand}

  Or open the phone page in a browser.

  Ctrl-C ends everything.
`;
}
