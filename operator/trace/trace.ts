/**
 * The trace of one command. Every write waits for the trace first, so the line with caller and command is stored before
 * the first change, and a command that changes nothing leaves no line.
 */
import type { LogFields } from '../../lib/observability/logger.ts';
import { redact } from '../../lib/observability/redact.ts';
import type { Caller, Command, CommandEnd, CommandStore, TraceLine } from './trace-line.ts';
import type { TraceStore } from './trace-store.ts';

export type Trace = {
  /** Sets the store of the command, as soon as it is known. */
  readonly about: (store: CommandStore) => void;
  /**
   * Resolves when the trace has the command. Rejects with TraceRefused when it cannot be stored; then nothing is
   * changed.
   */
  readonly before: () => Promise<void>;
  /** Records one completed change; it is written with the next lines. */
  readonly did: (message: string, fields?: LogFields) => void;
  /** Writes the changes and the outcome. Rejects with TraceRefused when they cannot be stored. */
  readonly end: (how: CommandEnd) => Promise<void>;
};

type TraceDeps = {
  readonly store: TraceStore;
  readonly whoAmI: () => Promise<Caller>;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
};
type TracedCommand = { readonly command: Command; readonly environment: string; readonly table: string };

/** Changes are written after this number or this time. */
const BATCH_SIZE = 500;
const BATCH_MS = 60_000;

/** The trace of commands that only read, and of dry runs. */
export const noTrace: Trace = {
  about: () => undefined,
  before: async () => undefined,
  did: () => undefined,
  end: async () => undefined,
};

export function createTrace(deps: TraceDeps, { command, environment, table }: TracedCommand): Trace {
  const { store, whoAmI, now, random } = deps;
  const id = Buffer.from(random(12)).toString('hex');
  const head = () => ({ id, at: new Date(now()).toISOString() });
  const waiting: TraceLine[] = [];
  let about: CommandStore | undefined;
  let startWrite: Promise<void> | undefined;
  let flushing: Promise<void> = Promise.resolve();

  async function begin(): Promise<void> {
    const caller = await whoAmI();
    const line = { ...command, who: caller, environment, table, ...(about && { store: about }) };
    await store.write([{ ...head(), event: 'begun', ...line }]);
  }

  function flush(): Promise<void> {
    flushing = flushing.then(async () => {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH_SIZE);
        await store.write(batch);
        waiting.splice(0, batch.length);
      }
    });
    return flushing;
  }

  return {
    about: (found) => {
      about = found;
    },
    async before() {
      startWrite ??= begin();
      await startWrite;
      const [first] = waiting;
      if (first === undefined) return;
      if (waiting.length >= BATCH_SIZE || now() - Date.parse(first.at) >= BATCH_MS) await flush();
    },
    did: (message, fields = {}) => {
      waiting.push({ ...redact(fields), ...head(), event: 'did', message });
    },
    async end(how) {
      if (startWrite === undefined || (await hasFailed(startWrite))) return;
      waiting.push({ ...head(), event: 'ended', ...how });
      await flush();
    },
  };
}

function hasFailed(startWrite: Promise<void>): Promise<boolean> {
  return startWrite.then(
    () => false,
    () => true,
  );
}
