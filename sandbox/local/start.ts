/** `npm start`: reads the options, starts the stack, prints how to use it, and stops it cleanly. */
import '../clock/install.ts';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { BuildError } from '../../tools/build/build-error.ts';
import { PROJECT_ROOT } from '../../tools/build/build-functions.ts';
import { DEFAULT_STACK_FILE } from '../default-stack-file.ts';
import { formatBanner } from './start/banner.ts';
import { openDataFolder } from './start/data-folder.ts';
import { openLogs } from './start/open-logs.ts';
import { rejectTakenPorts } from './start/open-on-port.ts';
import { writeTemporaryStackFile } from './start/stack-file.ts';
import { StartError } from './start/start-error.ts';
import { parseStartOptions, type StartOptions, USAGE_TEXT } from './start/start-options.ts';
import { stopOnSignals } from './start/stop-on-signals.ts';

// The compile cache saves half a second at the second start.
enableCompileCache(join(PROJECT_ROOT, '.local', 'compile-cache'));

async function runStack(options: StartOptions): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const stopSignal = stopOnSignals();
  const dataFolder = openDataFolder(options.dataDir);
  cleanup.defer(dataFolder.release);
  const logs = openLogs(options);
  cleanup.defer(logs.close);
  await rejectTakenPorts(options.ports);
  printProgress('Loading');
  // Imported late, because these modules include most of the stack and load slowly.
  const { startStack } = await import('./stack.ts');
  const stack = await Promise.race([
    startStack({
      ...options,
      data: dataFolder,
      logs,
      progress: printProgress,
      announce: (line) => console.log(`  ${line}`),
    }),
    stopSignal.requested,
  ]);
  if (stack === undefined) return;
  cleanup.defer(() => stack.close());
  cleanup.defer(writeTemporaryStackFile(options.stackFile, stack.state));
  console.log(
    formatBanner(stack.state, options.stackFile === DEFAULT_STACK_FILE ? undefined : options.stackFile),
  );
  process.send?.({ type: 'ready', state: stack.state });
  await stopSignal.requested;
  printProgress('Ending');
}

function printProgress(step: string): void {
  console.log(`${step} …`);
}

try {
  const startOptions = parseStartOptions(process.argv.slice(2), process.env);
  if (startOptions === 'help') console.log(USAGE_TEXT);
  else await runStack(startOptions);
  process.exit(0);
} catch (error) {
  if (!(error instanceof StartError || error instanceof BuildError)) throw error;
  console.error(error.message);
  process.exit(1);
}
