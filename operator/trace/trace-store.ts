/** Stores the trace in a log group of CloudWatch Logs, which operators can only write to and read. */
import {
  type CloudWatchLogsClient,
  CreateLogStreamCommand,
  FilterLogEventsCommand,
  PutLogEventsCommand,
  type RejectedLogEventsInfo,
} from '@aws-sdk/client-cloudwatch-logs';
import type { CommandTraceLine } from './trace-line.ts';
import { TraceWriteError } from './trace-write-error.ts';

/** A line of the group, with the time at which AWS received it (epoch milliseconds). */
type StoredTraceLine = { readonly message: string; readonly ingestedAtMs: number };
export type TraceStore = {
  /** Resolves when all lines are stored, and rejects with TraceWriteError when one is not. */
  readonly write: (lines: readonly CommandTraceLine[]) => Promise<void>;
  /** Reads the lines that AWS has received since, oldest first. Rejects with TraceWriteError when they cannot be read. */
  readonly readSince: (sinceMs: number) => Promise<StoredTraceLine[]>;
};

/**
 * CloudWatch Logs accepts no event that is older when it is written (PutLogEvents). So the time of a stored line is at most
 * this much before its receipt.
 */
const MAX_ACCEPTED_EVENT_AGE_MS = 14 * 24 * 3600 * 1000;

export function createTraceStore(client: CloudWatchLogsClient, logGroupName: string): TraceStore {
  return {
    async write(lines) {
      const [firstLine] = lines;
      if (firstLine === undefined) return;
      try {
        await putTraceLines(client, { logGroupName, logStreamName: firstLine.at.slice(0, 10) }, lines);
      } catch (error) {
        throw createTraceWriteError(logGroupName, error);
      }
    },
    // CloudWatch Logs filters by the timestamps of the lines. They are of the operator's clock, which can be slow by up to
    // MAX_ACCEPTED_EVENT_AGE_MS. So the lines are filtered again by their time of receipt, which is AWS's own.
    async readSince(sinceMs) {
      const readRange = { logGroupName, startTime: sinceMs - MAX_ACCEPTED_EVENT_AGE_MS };
      const storedLines = await readAllLines(client, readRange).catch((error: unknown) => {
        const message = `The operators' trace (${logGroupName}) cannot be read.`;
        throw new TraceWriteError(`${message} ${describeAwsError(error)} Nothing was changed.`);
      });
      return storedLines
        .filter(({ ingestedAtMs }) => ingestedAtMs >= sinceMs)
        .sort((a, b) => a.ingestedAtMs - b.ingestedAtMs);
    },
  };
}

type LogStream = { readonly logGroupName: string; readonly logStreamName: string };

/** All operators write to one stream a day. */
async function putTraceLines(
  client: CloudWatchLogsClient,
  stream: LogStream,
  lines: readonly CommandTraceLine[],
): Promise<void> {
  await client.send(new CreateLogStreamCommand(stream)).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'ResourceAlreadyExistsException') throw error;
  });
  const logEvents = lines
    .map((line) => ({ timestamp: Date.parse(line.at), message: JSON.stringify(line) }))
    // The events of a batch must be in order, also when the clock was set back.
    .sort((a, b) => a.timestamp - b.timestamp);
  const { rejectedLogEventsInfo } = await client.send(new PutLogEventsCommand({ ...stream, logEvents }));
  if (rejectedLogEventsInfo !== undefined)
    throw new TraceWriteError(formatRejectedEvents(rejectedLogEventsInfo));
}

/** CloudWatch Logs reports rejected events in a successful response. */
function formatRejectedEvents({
  tooNewLogEventStartIndex,
  expiredLogEventEndIndex,
}: RejectedLogEventsInfo): string {
  if (tooNewLogEventStartIndex !== undefined)
    return 'The time of the line is in the future: set the clock of this machine.';
  const age = expiredLogEventEndIndex === undefined ? 'too old' : 'older than the group keeps';
  return `The time of the line is ${age}: set the clock of this machine.`;
}

function createTraceWriteError(group: string, error: unknown): TraceWriteError {
  return new TraceWriteError(
    `Nothing was changed, because the operators' trace (${group}) cannot be written. ${describeAwsError(error)}`,
  );
}

function describeAwsError(error: unknown): string {
  if (error instanceof TraceWriteError) return error.message;
  if (error instanceof Error && error.name === 'ResourceNotFoundException')
    return 'The log group was not found. Deploy the environment first.';
  return error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
}

type LogRange = { readonly logGroupName: string; readonly startTime: number };

/** A page may be empty although more pages follow. */
async function readAllLines(client: CloudWatchLogsClient, range: LogRange): Promise<StoredTraceLine[]> {
  const storedLines: StoredTraceLine[] = [];
  let nextToken: string | undefined;
  do {
    const page = await client.send(new FilterLogEventsCommand({ ...range, nextToken }));
    for (const { message = '', ingestionTime = 0 } of page.events ?? [])
      storedLines.push({ message, ingestedAtMs: ingestionTime });
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return storedLines;
}
