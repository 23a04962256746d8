/** Work that nobody waits for, every 15 minutes: an ordered list, one entry after another. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { settleOpenIntents } from '../../lib/timeline/settle-open-intents.ts';
import { compose } from './compose.ts';
import { type DueWork, runDueWork } from './run-due-work.ts';

const deps = compose(readEnvironment());

/** In the order in which they run. */
const dueWork: readonly DueWork[] = [
  { name: 'settle intents', run: (endAtMs) => settleOpenIntents(deps, endAtMs) },
];

export const handler = (): Promise<void> => runDueWork(deps, dueWork);
