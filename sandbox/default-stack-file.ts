import { join } from 'node:path';

/** The file that describes the running local stack. The demo and the operator's command line read it by default. */
export const DEFAULT_STACK_FILE = join(import.meta.dirname, '../.local/stack.json');
