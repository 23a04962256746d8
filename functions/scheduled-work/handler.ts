/** Work that nobody waits for, every 15 minutes: an ordered list, one entry after another. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { renewDueGrants } from '../../lib/platform/grants/renew-due-grants.ts';
import { refreshTimeZones } from '../../lib/stores/life/refresh-time-zones.ts';
import { resumeDuePauses } from '../../lib/subscriptions/pause/end-due-pauses.ts';
import { settleOpenCharges } from '../../lib/timeline/settle/settle-open-charges.ts';
import { settleOpenIntents } from '../../lib/timeline/settle/settle-open-intents.ts';
import { composeScheduledWork } from '../compose/compose-scheduled-work.ts';
import { type DueWork, runDueWork } from './run-due-work.ts';

const deps = composeScheduledWork(readEnvironment());

/** In the order in which they run. */
const dueWork: readonly DueWork[] = [
  { name: 'settle intents', run: (endAtMs) => settleOpenIntents(deps, endAtMs) },
  { name: 'tell charges', run: (endAtMs) => settleOpenCharges(deps, endAtMs) },
  // After the intents: a resuming that broke off is settled before it is begun again.
  { name: 'end pauses', run: (endAtMs) => resumeDuePauses(deps, endAtMs) },
  { name: 'renew grants', run: (endAtMs) => renewDueGrants(deps, endAtMs) },
  // Last, because nothing waits for it; a zone hardly ever changes.
  { name: 'read time zones', run: (endAtMs) => refreshTimeZones(deps, endAtMs) },
];

export const handler = (): Promise<void> => runDueWork(deps, dueWork);
