/** Work that nobody waits for, every 15 minutes: an ordered list, one entry after another. */

import { readEnvironment } from '../../lib/config/environment.ts';
import { createLogger } from '../../lib/observability/logger.ts';
import { type DueWork, runDueWork } from './run-due-work.ts';

const { logLevel, secretsPrefix } = readEnvironment();
const metrics = { namespace: secretsPrefix, now: Date.now };
const logger = createLogger({ functionName: 'scheduled-work', level: logLevel, metrics });

/** In the order in which they run. */
const dueWork: readonly DueWork[] = [];

export const handler = (): Promise<void> => runDueWork({ logger, now: Date.now }, dueWork);
