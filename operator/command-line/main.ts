/** `npm run operator -- <group> <command>`: the command line for the operators of the service. */

import { openTerminal } from '../terminal.ts';
import { runCommandLine } from './program.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), openTerminal());
