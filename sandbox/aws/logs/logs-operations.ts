/** The operations of CloudWatch Logs that operators use. (Amazon CloudWatch Logs API Reference, 2014-03-28) */
import { AwsError } from '../aws-error.ts';
import type { LogStore, StoredLogEvent } from './log-store.ts';

type LogsRequestFields = Readonly<Record<string, unknown>>;
type InputLogEvent = { readonly timestamp: number; readonly message: string };

/** The operations by their name in the header `x-amz-target`, after `Logs_20140328.`. */
export const logsOperations: Readonly<Record<string, (store: LogStore, input: LogsRequestFields) => object>> =
  {
    CreateLogStream: createLogStream,
    PutLogEvents: putLogEvents,
    FilterLogEvents: filterLogEvents,
  };

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
/** The limits of one batch: bytes, with 26 for each event, and events. */
const MAX_BATCH_BYTES = 1_048_576;
const MAX_BATCH_EVENTS = 10_000;

function requireGroupName(store: LogStore, { logGroupName }: LogsRequestFields): string {
  if (Object.hasOwn(store.groups, `${logGroupName}`)) return `${logGroupName}`;
  throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
}

function createLogStream(store: LogStore, input: LogsRequestFields): object {
  const stream = `${requireGroupName(store, input)} ${input.logStreamName}`;
  if (store.streams.has(stream))
    throw new AwsError('ResourceAlreadyExistsException', 'The specified log stream already exists');
  store.streams.add(stream);
  return {};
}

function putLogEvents(store: LogStore, input: LogsRequestFields): object {
  const groupName = requireGroupName(store, input);
  const streamName = `${input.logStreamName}`;
  if (!store.streams.has(`${groupName} ${streamName}`))
    throw new AwsError('ResourceNotFoundException', 'The specified log stream does not exist.');
  const givenEvents = input.logEvents as InputLogEvent[];
  rejectInvalidBatch(givenEvents);
  const nowMs = store.now();
  const oldestAcceptedMs = nowMs - 14 * DAY_MS;
  const retainedSinceMs = nowMs - (store.groups[groupName] ?? 0) * DAY_MS;
  const tooOldCount = givenEvents.filter(({ timestamp }) => timestamp < oldestAcceptedMs).length;
  const expiredCount = givenEvents.filter(({ timestamp }) => timestamp < retainedSinceMs).length;
  const firstTooNewIndex = givenEvents.findIndex(({ timestamp }) => timestamp > nowMs + 2 * HOUR_MS);
  const acceptedEvents = givenEvents.slice(
    Math.max(tooOldCount, expiredCount),
    firstTooNewIndex < 0 ? undefined : firstTooNewIndex,
  );
  store.add(
    acceptedEvents.map((event) => ({ ...event, group: groupName, stream: streamName, ingestionTime: nowMs })),
  );
  const rejectedInfo = {
    ...(tooOldCount > 0 && { tooOldLogEventEndIndex: tooOldCount }),
    ...(expiredCount > 0 && { expiredLogEventEndIndex: expiredCount }),
    ...(firstTooNewIndex >= 0 && { tooNewLogEventStartIndex: firstTooNewIndex }),
  };
  return {
    nextSequenceToken: 'ignored',
    ...(Object.keys(rejectedInfo).length > 0 && { rejectedLogEventsInfo: rejectedInfo }),
  };
}

function rejectInvalidBatch(events: readonly InputLogEvent[]): void {
  const eventTimes = events.map(({ timestamp }) => timestamp);
  const batchBytes = events.reduce((sum, { message }) => sum + Buffer.byteLength(message) + 26, 0);
  const areInOrder = eventTimes.every((time, index) => index === 0 || time >= Number(eventTimes[index - 1]));
  const isWithinOneDay = Number(eventTimes.at(-1)) - Number(eventTimes[0]) <= DAY_MS;
  if (
    events.length > 0 &&
    events.length <= MAX_BATCH_EVENTS &&
    batchBytes <= MAX_BATCH_BYTES &&
    areInOrder &&
    isWithinOneDay
  )
    return;
  throw new AwsError(
    'InvalidParameterException',
    'Log events in a single PutLogEvents request are not valid.',
  );
}

/** A page is small, and may be empty although more pages follow, so that readers must read to the end. */
const PAGE_SIZE = 50;

function filterLogEvents(store: LogStore, input: LogsRequestFields): object {
  const groupName = requireGroupName(store, input);
  const { startTime = 0, endTime = Infinity } = input as { startTime?: number; endTime?: number };
  const foundEvents = store.events
    .filter((event) => event.group === groupName && isBetween(event, [startTime, endTime]))
    .sort((a, b) => a.timestamp - b.timestamp);
  if (input.nextToken === undefined) return { events: [], nextToken: '0', searchedLogStreams: [] };
  const startIndex = Number(input.nextToken);
  const page = foundEvents.slice(startIndex, startIndex + PAGE_SIZE);
  const events = page.map(({ stream, timestamp, ingestionTime, message }, index) => ({
    ...{ logStreamName: stream, timestamp, ingestionTime, message, eventId: `${startIndex + index}` },
  }));
  const hasMore = startIndex + PAGE_SIZE < foundEvents.length;
  return { events, searchedLogStreams: [], ...(hasMore && { nextToken: `${startIndex + PAGE_SIZE}` }) };
}

function isBetween({ timestamp }: StoredLogEvent, [start, end]: readonly [number, number]): boolean {
  return timestamp >= start && timestamp < end;
}
