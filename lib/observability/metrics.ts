/**
 * Metrics in CloudWatch's embedded format: a log line says itself which of its fields are metrics. log-request.ts
 * and the logger's alarms write them; infra's alarms and dashboard read them by the names in this file.
 */

/** Groups a metric can be asked for by: fields of the line, each with few different values. */
type Dimensions = readonly (readonly string[])[];

export type MetricGroup = {
  /** Field of the line → unit. */
  readonly metrics: Readonly<Record<string, 'Count' | 'Milliseconds'>>;
  readonly dimensions: Dimensions;
};

export type MetricsOptions = {
  /** Where CloudWatch keeps them: the environment's secrets prefix, so that environments never mix. */
  readonly namespace: string;
  readonly now: () => number;
};

/** Of every request: how long it took, and by the number of samples how many there were. */
export const requestMetrics: MetricGroup = {
  metrics: { durationMs: 'Milliseconds' },
  dimensions: [['route'], ['route', 'outcome']],
};

/** Of the steps of a sign-in, each by itself: the same. */
export const stepMetrics: MetricGroup = {
  metrics: { durationMs: 'Milliseconds' },
  dimensions: [['step', 'outcome']],
};

/** Of requests whose store is known: 1 if it was throttled, else 0, so that the average is a store's share. */
export const throttleMetrics: MetricGroup = { metrics: { throttled: 'Count' }, dimensions: [['store']] };

/** Of changes that customers make: how many of each. */
export const actionMetrics: MetricGroup = { metrics: { actions: 'Count' }, dimensions: [['action']] };

/** Of log lines with a field `alarm`: 1 each. */
export const alarmMetrics: MetricGroup = { metrics: { alarms: 'Count' }, dimensions: [['alarm']] };

/** Of every run of the scheduled work: intents that have been open for more than an hour. */
export const openIntentMetrics: MetricGroup = {
  metrics: { intentsOpenOverAnHour: 'Count' },
  dimensions: [[]],
};

/**
 * Makes the field `_aws`, as JSON text, that makes a log line carry metrics. The line must have the groups' metrics as
 * numbers and their dimensions as texts. (CloudWatch, Embedded Metric Format specification.)
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
