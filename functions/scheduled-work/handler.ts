/** The scheduled work, which runs every 15 minutes. This file lists its kinds in order. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { renewDueGrants } from '../../lib/platform/grants/renew-due-grants.ts';
import { refreshTimeZones } from '../../lib/stores/lifecycle/refresh-time-zones.ts';
import { runStorefrontTokenChecks } from '../../lib/stores/lifecycle/run-storefront-token-checks.ts';
import { resumeDueContracts } from '../../lib/subscriptions/pause/resume-due-contracts.ts';
import { extendDuePostponements } from '../../lib/subscriptions/postpone/extend-due-postponements.ts';
import { settleOpenCharges } from '../../lib/timeline/settle/settle-open-charges.ts';
import { settleOpenIntents } from '../../lib/timeline/settle/settle-open-intents.ts';
import { composeScheduledWork, type ScheduledDeps } from '../compose/compose-scheduled-work.ts';
import { withRequestContext } from '../compose/with-request-context.ts';
import { type DueWork, parseStoreShards, runDueWork } from './run-due-work.ts';

const deps = composeScheduledWork(readEnvironment());

/** The kinds of work in the order in which they run. */
const DUE_WORK: readonly DueWork<ScheduledDeps>[] = [
  { name: 'settle intents', run: settleOpenIntents },
  { name: 'tell charges', run: settleOpenCharges },
  // Runs after open intents are decided: a resumption that was interrupted must be decided before it is tried again.
  { name: 'end pauses', run: resumeDueContracts },
  { name: 'extend postponements', run: extendDuePostponements },
  { name: 'renew grants', run: renewDueGrants },
  // These run last, because no other work depends on them. The daily read of a store's time zone also schedules the
  // check of its storefront token.
  { name: 'read time zones', run: refreshTimeZones },
  { name: 'look after storefront tokens', run: runStorefrontTokenChecks },
];

export const handler = withRequestContext(deps, (event: unknown) =>
  runDueWork(deps, DUE_WORK, parseStoreShards(event)),
);
