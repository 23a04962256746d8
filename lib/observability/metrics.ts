/**
 * Metrics in CloudWatch's embedded metric format: a log line declares which of its fields are metrics. log-request.ts
 * and the logger write them; the alarms and the dashboard in infra use the names in this file.
 */

/**
 * The sets of fields by which a metric can be queried. Each field has few different values, because CloudWatch counts
 * each combination as a metric of its own.
 */
type MetricDimensions = readonly (readonly string[])[];

export type MetricGroup = {
  /** The unit of each metric, by the name of the field. */
  readonly metrics: Readonly<Record<string, 'Count' | 'Milliseconds'>>;
  readonly dimensions: MetricDimensions;
};

export type MetricsOptions = {
  /** The CloudWatch namespace. It is the prefix of the environment's secrets, so that environments are separate. */
  readonly namespace: string;
  readonly now: () => number;
};

/** Each request reports its duration. The number of samples is the number of requests. */
export const requestMetrics: MetricGroup = {
  metrics: { durationMs: 'Milliseconds' },
  dimensions: [['route'], ['route', 'outcome']],
};

/**
 * Each request that the service level objectives count reports whether it failed, whether it was slow, and its duration
 * without waiting for the platform.
 */
export const objectiveMetrics: MetricGroup = {
  metrics: { failed: 'Count', slow: 'Count', ownMs: 'Milliseconds' },
  dimensions: [['service']],
};

/** Each request of a known store reports 1 if it was throttled, else 0. The average is the store's throttling ratio. */
export const throttleMetrics: MetricGroup = { metrics: { throttled: 'Count' }, dimensions: [['store']] };

/** Each change counts, by its timeline action. */
export const actionMetrics: MetricGroup = { metrics: { actions: 'Count' }, dimensions: [['action']] };

/** Each log line with the field `alarm` counts, by the value of the field. */
export const alarmMetrics: MetricGroup = { metrics: { alarms: 'Count' }, dimensions: [['alarm']] };

/** Each run of the scheduled work reports how many intents have been open for over an hour. */
export const openIntentMetrics: MetricGroup = {
  metrics: { intentsOpenOverAnHour: 'Count' },
  dimensions: [[]],
};

/** Each run of a store's billing counts when it starts. */
export const billingStartMetrics: MetricGroup = {
  metrics: { billingRunsStarted: 'Count' },
  dimensions: [[]],
};

/** Each run of a store's billing reports, when it is done, what became of its orders. */
export const billingEndMetrics: MetricGroup = {
  metrics: {
    billingRunsDone: 'Count',
    ordersCharged: 'Count',
    ordersDeclined: 'Count',
    ordersReported: 'Count',
  },
  dimensions: [[]],
};

/**
 * Returns a function that writes the field `_aws` as JSON text, which declares a line's metrics (CloudWatch, "Embedded
 * Metric Format specification"). The line must have the metrics as numbers and the dimensions as texts.
 */
export function createMetricEmbedder({
  namespace,
}: MetricsOptions): (groups: readonly MetricGroup[], nowMs: number) => string {
  const directiveByGroup = new Map<MetricGroup, string>();
  const directiveOf = (group: MetricGroup) => {
    const cachedDirective = directiveByGroup.get(group);
    if (cachedDirective !== undefined) return cachedDirective;
    const metrics = Object.entries(group.metrics).map(([Name, Unit]) => ({ Name, Unit }));
    const directiveJson = JSON.stringify({
      Namespace: namespace,
      Dimensions: group.dimensions,
      Metrics: metrics,
    });
    directiveByGroup.set(group, directiveJson);
    return directiveJson;
  };
  return (groups, nowMs) =>
    `"_aws":{"Timestamp":${nowMs},"CloudWatchMetrics":[${groups.map(directiveOf).join(',')}]}`;
}
