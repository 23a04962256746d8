/** Stores the log groups of the emulator, with CloudWatch Logs' rules about timestamps. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export type StoredLogEvent = {
  readonly group: string;
  readonly stream: string;
  /** Epoch milliseconds, as the writer says. */
  readonly timestamp: number;
  /** Epoch milliseconds, by the clock of AWS. */
  readonly ingestionTime: number;
  readonly message: string;
};
export type LogStore = {
  readonly now: () => number;
  /** The retention of each log group, in days. */
  readonly groups: Readonly<Record<string, number>>;
  readonly streams: Set<string>;
  readonly events: readonly StoredLogEvent[];
  add(events: readonly StoredLogEvent[]): void;
};
export type LogStoreOptions = Pick<LogStore, 'now' | 'groups'> & {
  /** The file that stores the events as JSON lines; without it they stay in memory. */
  readonly path: string | undefined;
};

/** Opens the store with the events of its file, if it has one. */
export function createLogStore({ path, now, groups }: LogStoreOptions): LogStore {
  const events = path === undefined || !existsSync(path) ? [] : readStoredEvents(path);
  return {
    now,
    groups,
    streams: new Set(events.map(({ group, stream }) => `${group} ${stream}`)),
    events,
    add(newEvents) {
      events.push(...newEvents);
      const lines = newEvents.map((event) => `${JSON.stringify(event)}\n`).join('');
      if (path !== undefined) appendFileSync(path, lines, { mode: 0o600 });
    },
  };
}

function readStoredEvents(path: string): StoredLogEvent[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as StoredLogEvent);
}
