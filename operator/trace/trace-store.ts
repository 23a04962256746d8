/** Where the trace is kept: a log group of CloudWatch Logs that operators may write to and read, and nothing else. */
import {
  type CloudWatchLogsClient,
  CreateLogStreamCommand,
  FilterLogEventsCommand,
  PutLogEventsCommand,
  type RejectedLogEventsInfo,
} from '@aws-sdk/client-cloudwatch-logs';
import type { TraceLine } from './trace-line.ts';
import { TraceRefused } from './trace-refused.ts';

/** A line of the group, with the time at which AWS took it (epoch milliseconds). */
type StoredLine = { readonly message: string; readonly ingestedAtMs: number };
export type TraceStore = {
  /** Resolves when all are kept, and rejects with TraceRefused if one is not. */
  readonly write: (lines: readonly TraceLine[]) => Promise<void>;
  /** The lines that AWS has taken since, oldest first. TraceRefused if they cannot be read. */
  readonly readSince: (sinceMs: number) => Promise<StoredLine[]>;
};

/** CloudWatch Logs takes events that say to be as old as this. (PutLogEvents) */
const OLDEST_EVENT_MS = 14 * 24 * 3600 * 1000;

export function createTraceStore(client: CloudWatchLogsClient, logGroupName: string): TraceStore {
  return {
    async write(lines) {
      const [first] = lines;
      if (first === undefined) return;
      try {
        await put(client, { logGroupName, logStreamName: first.at.slice(0, 10) }, lines);
      } catch (error) {
        throw notWritten(logGroupName, error);
      }
    },
    // The operator's clock may be wrong by as much as CloudWatch Logs lets pass; the time of the taking is AWS's own.
    async readSince(sinceMs) {
      const range = { logGroupName, startTime: sinceMs - OLDEST_EVENT_MS };
      const lines = await readAll(client, range).catch((error: unknown) => {
        const message = `The operators' trace (${logGroupName}) cannot be read.`;
        throw new TraceRefused(`${message} ${reasonOf(error)} Nothing was changed.`);
      });
      return lines
        .filter(({ ingestedAtMs }) => ingestedAtMs >= sinceMs)
        .sort((a, b) => a.ingestedAtMs - b.ingestedAtMs);
    },
  };
}

type Stream = { readonly logGroupName: string; readonly logStreamName: string };

/** One stream a day, whoever writes. */
async function put(client: CloudWatchLogsClient, stream: Stream, lines: readonly TraceLine[]): Promise<void> {
  await client.send(new CreateLogStreamCommand(stream)).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'ResourceAlreadyExistsException') throw error;
  });
  const logEvents = lines
    .map((line) => ({ timestamp: Date.parse(line.at), message: JSON.stringify(line) }))
    // A clock that is set back must not spoil a batch.
    .sort((a, b) => a.timestamp - b.timestamp);
  const { rejectedLogEventsInfo } = await client.send(new PutLogEventsCommand({ ...stream, logEvents }));
  if (rejectedLogEventsInfo !== undefined) throw new TraceRefused(rejectionText(rejectedLogEventsInfo));
}

/** The answer is a success all the same. */
function rejectionText({ tooNewLogEventStartIndex, expiredLogEventEndIndex }: RejectedLogEventsInfo): string {
  if (tooNewLogEventStartIndex !== undefined) return 'Its time is too new: set the clock of this machine.';
  const age = expiredLogEventEndIndex === undefined ? 'too old' : 'older than the group keeps';
  return `Its time is ${age}: set the clock of this machine.`;
}

function notWritten(group: string, error: unknown): TraceRefused {
  return new TraceRefused(
    `Nothing is changed that cannot be written to the operators' trace (${group}). ${reasonOf(error)}`,
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof TraceRefused) return error.message;
  if (error instanceof Error && error.name === 'ResourceNotFoundException')
    return 'It is not there: deploy the environment first.';
  return error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
}

type Range = { readonly logGroupName: string; readonly startTime: number };

/** A page may be empty while more follow. */
async function readAll(client: CloudWatchLogsClient, range: Range): Promise<StoredLine[]> {
  const lines: StoredLine[] = [];
  let nextToken: string | undefined;
  do {
    const page = await client.send(new FilterLogEventsCommand({ ...range, nextToken }));
    for (const { message = '', ingestionTime = 0 } of page.events ?? [])
      lines.push({ message, ingestedAtMs: ingestionTime });
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return lines;
}
