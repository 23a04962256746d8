/**
 * The trace of one command. Every write waits for the trace first, so the line with caller and command is stored before
 * the first change, and a command that changes nothing leaves no line.
 */
import type { LogFields } from '../../lib/observability/logger.ts';
import { redactSecrets } from '../../lib/observability/redact-secrets.ts';
import type {
  AwsCallerIdentity,
  CommandEnd,
  CommandTraceLine,
  TracedCommandText,
  TracedStore,
} from './trace-line.ts';
import type { TraceStore } from './trace-store.ts';

export type CommandTrace = {
  /** Sets the store of the command, as soon as it is known. */
  readonly setStore: (store: TracedStore) => void;
  /**
   * Resolves when the trace has the command. Rejects with TraceWriteError when it cannot be stored; then nothing is
   * changed.
   */
  readonly writeStart: () => Promise<void>;
  /** Records one completed change; it is written with the next lines. */
  readonly recordChange: (message: string, fields?: LogFields) => void;
  /** Writes the changes that are not written yet, and the command's outcome. Rejects with TraceWriteError when they cannot be stored. */
  readonly end: (commandEnd: CommandEnd) => Promise<void>;
};

type TraceDeps = {
  readonly store: TraceStore;
  readonly whoAmI: () => Promise<AwsCallerIdentity>;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
};
type TracedCommand = {
  readonly command: TracedCommandText;
  readonly environment: string;
  readonly table: string;
};

/** Unwritten changes are written when they are this many, or the first of them is this old. */
const MAX_UNWRITTEN_CHANGES = 500;
const MAX_UNWRITTEN_MS = 60_000;

/** The trace of commands that only read, and of dry runs. */
export const NO_TRACE: CommandTrace = {
  setStore: () => undefined,
  writeStart: async () => undefined,
  recordChange: () => undefined,
  end: async () => undefined,
};

export function createTrace(deps: TraceDeps, { command, environment, table }: TracedCommand): CommandTrace {
  const { store, whoAmI, now, random } = deps;
  const id = Buffer.from(random(12)).toString('hex');
  const createLineHead = () => ({ id, at: new Date(now()).toISOString() });
  const waitingLines: CommandTraceLine[] = [];
  let tracedStore: TracedStore | undefined;
  let startWrite: Promise<void> | undefined;
  let lastFlush: Promise<void> = Promise.resolve();

  async function beginTrace(): Promise<void> {
    const caller = await whoAmI();
    const line = { ...command, who: caller, environment, table, ...(tracedStore && { store: tracedStore }) };
    await store.write([{ ...createLineHead(), event: 'begun', ...line }]);
  }

  function flushLines(): Promise<void> {
    lastFlush = lastFlush.then(async () => {
      while (waitingLines.length > 0) {
        const lineBatch = waitingLines.slice(0, MAX_UNWRITTEN_CHANGES);
        await store.write(lineBatch);
        waitingLines.splice(0, lineBatch.length);
      }
    });
    return lastFlush;
  }

  return {
    setStore: (newStore) => {
      tracedStore = newStore;
    },
    async writeStart() {
      startWrite ??= beginTrace();
      await startWrite;
      const [firstLine] = waitingLines;
      if (firstLine === undefined) return;
      if (
        waitingLines.length >= MAX_UNWRITTEN_CHANGES ||
        now() - Date.parse(firstLine.at) >= MAX_UNWRITTEN_MS
      )
        await flushLines();
    },
    recordChange: (message, fields = {}) => {
      waitingLines.push({ ...redactSecrets(fields), ...createLineHead(), event: 'did', message });
    },
    async end(commandEnd) {
      if (startWrite === undefined || (await hasWriteFailed(startWrite))) return;
      waitingLines.push({ ...createLineHead(), event: 'ended', ...commandEnd });
      await flushLines();
    },
  };
}

function hasWriteFailed(startWrite: Promise<void>): Promise<boolean> {
  return startWrite.then(
    () => false,
    () => true,
  );
}
