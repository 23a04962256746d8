/** The scheduled work runs every 15 minutes: the kinds of work, in order. Nobody waits for it. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { renewDueGrants } from '../../lib/platform/grants/renew-due-grants.ts';
import { keepStorefrontTokens } from '../../lib/stores/life/keep-storefront-tokens.ts';
import { refreshTimeZones } from '../../lib/stores/life/refresh-time-zones.ts';
import { endDuePauses } from '../../lib/subscriptions/pause/end-due-pauses.ts';
import { settleOpenCharges } from '../../lib/timeline/settle/settle-open-charges.ts';
import { settleOpenIntents } from '../../lib/timeline/settle/settle-open-intents.ts';
import { composeScheduledWork } from '../compose/compose-scheduled-work.ts';
import { type DueWork, runDueWork } from './run-due-work.ts';

const deps = composeScheduledWork(readEnvironment());

/** The kinds of work in the order in which they run. */
const dueWork: readonly DueWork[] = [
  { name: 'settle intents', run: (endAtMs) => settleOpenIntents(deps, endAtMs) },
  { name: 'tell charges', run: (endAtMs) => settleOpenCharges(deps, endAtMs) },
  // Pauses end after the intents: a resuming that broke off is settled before it is begun again.
  { name: 'end pauses', run: (endAtMs) => endDuePauses(deps, endAtMs) },
  { name: 'renew grants', run: (endAtMs) => renewDueGrants(deps, endAtMs) },
  // These come last: nothing waits for them, and they hardly ever change. A day's reading of a zone notes a look.
  { name: 'read time zones', run: (endAtMs) => refreshTimeZones(deps, endAtMs) },
  { name: 'look after storefront tokens', run: (endAtMs) => keepStorefrontTokens(deps, endAtMs) },
];

export const handler = (): Promise<void> => runDueWork(deps, dueWork);
