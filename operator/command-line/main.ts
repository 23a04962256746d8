/** `npm run operator -- <noun> <verb>`: what the people who run the service do with it. */

import { openTerminal } from '../terminal.ts';
import { runCommandLine } from './program.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), openTerminal());
