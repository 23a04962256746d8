/** The scheduled work runs every 15 minutes: the kinds of work, in order. Nobody waits for it. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { renewDueGrants } from '../../lib/platform/grants/renew-due-grants.ts';
import { keepStorefrontTokens } from '../../lib/stores/life/keep-storefront-tokens.ts';
import { refreshTimeZones } from '../../lib/stores/life/refresh-time-zones.ts';
import { endDuePauses } from '../../lib/subscriptions/pause/end-due-pauses.ts';
import { settleOpenCharges } from '../../lib/timeline/settle/settle-open-charges.ts';
import { settleOpenIntents } from '../../lib/timeline/settle/settle-open-intents.ts';
import { composeScheduledWork, type ScheduledDeps } from '../compose/compose-scheduled-work.ts';
import { type DueWork, partsOf, runDueWork } from './run-due-work.ts';

const deps = composeScheduledWork(readEnvironment());

/** The kinds of work in the order in which they run. */
const dueWork: readonly DueWork<ScheduledDeps>[] = [
  { name: 'settle intents', run: settleOpenIntents },
  { name: 'tell charges', run: settleOpenCharges },
  // Pauses end after the intents: a resuming that broke off is settled before it is begun again.
  { name: 'end pauses', run: endDuePauses },
  { name: 'renew grants', run: renewDueGrants },
  // These come last: nothing waits for them, and they hardly ever change. A day's reading of a zone notes a look.
  { name: 'read time zones', run: refreshTimeZones },
  { name: 'look after storefront tokens', run: keepStorefrontTokens },
];

export const handler = (event: unknown): Promise<void> => runDueWork(deps, dueWork, partsOf(event));
