/** The scheduled work: its kinds, in order. It runs every 15 minutes, and no client waits for it. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { renewDueGrants } from '../../lib/platform/grants/renew-due-grants.ts';
import { keepStorefrontTokens } from '../../lib/stores/lifecycle/keep-storefront-tokens.ts';
import { refreshTimeZones } from '../../lib/stores/lifecycle/refresh-time-zones.ts';
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
  // Pauses end after the intents: an interrupted resumption is settled before it is started again.
  { name: 'end pauses', run: endDuePauses },
  { name: 'renew grants', run: renewDueGrants },
  // These are last: nothing waits for them, and they rarely change. The daily reading of a zone schedules the token's
  // check.
  { name: 'read time zones', run: refreshTimeZones },
  { name: 'look after storefront tokens', run: keepStorefrontTokens },
];

export const handler = (event: unknown): Promise<void> => runDueWork(deps, dueWork, partsOf(event));
