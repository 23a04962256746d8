/**
 * Metrics in CloudWatch's embedded format: a log line declares which of its fields are metrics. log-request.ts and
 * the logger's alarms write them; infra's alarms and dashboard read them by the names in this file.
 */

/** The fields by which a metric can be queried, in groups; each has few different values. */
type Dimensions = readonly (readonly string[])[];

export type MetricGroup = {
  /** Field of the line → unit. */
  readonly metrics: Readonly<Record<string, 'Count' | 'Milliseconds'>>;
  readonly dimensions: Dimensions;
};

export type MetricsOptions = {
  /** CloudWatch's namespace of the metrics: the environment's secrets prefix, so that environments stay separate. */
  readonly namespace: string;
  readonly now: () => number;
};

/** Every request has a duration; the number of samples is the number of requests. */
export const requestMetrics: MetricGroup = {
  metrics: { durationMs: 'Milliseconds' },
  dimensions: [['route'], ['route', 'outcome']],
};

/**
 * A request that the objectives count: whether it failed, was slow, and how much of the service's own time it took.
 */
export const objectiveMetrics: MetricGroup = {
  metrics: { failed: 'Count', slow: 'Count', ownMs: 'Milliseconds' },
  dimensions: [['service']],
};

/** A request of a known store counts 1 if it was throttled, else 0, so that the average is a store's ratio. */
export const throttleMetrics: MetricGroup = { metrics: { throttled: 'Count' }, dimensions: [['store']] };

/** Every change by a customer counts by its kind. */
export const actionMetrics: MetricGroup = { metrics: { actions: 'Count' }, dimensions: [['action']] };

/** Every log line with a field `alarm` counts 1. */
export const alarmMetrics: MetricGroup = { metrics: { alarms: 'Count' }, dimensions: [['alarm']] };

/** Every run of the scheduled work reports how many intents have been open for more than an hour. */
export const openIntentMetrics: MetricGroup = {
  metrics: { intentsOpenOverAnHour: 'Count' },
  dimensions: [[]],
};

/**
 * Creates the field `_aws`, as JSON text, which declares a log line's metrics (CloudWatch, Embedded Metric Format
 * specification). The line must have the groups' metrics as numbers and their dimensions as texts.
 */
export function createEmbedding({
  namespace,
}: MetricsOptions): (groups: readonly MetricGroup[], nowMs: number) => string {
  const directives = new Map<MetricGroup, string>();
  const directiveOf = (group: MetricGroup) => {
    const known = directives.get(group);
    if (known !== undefined) return known;
    const metrics = Object.entries(group.metrics).map(([Name, Unit]) => ({ Name, Unit }));
    const made = JSON.stringify({ Namespace: namespace, Dimensions: group.dimensions, Metrics: metrics });
    directives.set(group, made);
    return made;
  };
  return (groups, nowMs) =>
    `"_aws":{"Timestamp":${nowMs},"CloudWatchMetrics":[${groups.map(directiveOf).join(',')}]}`;
}
