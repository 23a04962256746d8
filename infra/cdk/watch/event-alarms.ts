/** Alarms of events that the service logs itself: sign-ins, tokens, stores, intents. */
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { EXCHANGE_PATH } from '../../definition/routes.ts';
import type { AlarmSeverity } from './alarm-topics.ts';
import type { AlarmDefinition } from './create-alarms.ts';
import { defineEdgeRefusedAlarm } from './edge-refused-alarm.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** An alarm by the value of `alarm` in the log line: its kind, its threshold and its meaning. */
type LoggedAlarm = {
  readonly kind: string;
  /** `ticket` by default: callers can cause many of these events, and must not be able to page people. */
  readonly severity?: AlarmSeverity;
  readonly threshold: number;
  readonly meaning: string;
  /** The part of the environment that the alarm needs; without that part no alarm is created. */
  readonly needs?: 'edge' | 'smoke test';
};

/**
 * Every value of `alarm` that the code writes.
 * @internal A test compares this list with the code.
 */
export const LOGGED_ALARMS: Readonly<Record<string, LoggedAlarm>> = {
  refresh_reuse: {
    kind: 'refresh-reuse',
    threshold: 1,
    meaning: 'A refresh token was used after its replacement: it may be stolen. The session was revoked.',
  },
  refresh_repeats: {
    kind: 'refresh-repeats',
    threshold: 5,
    meaning: 'Sessions keep presenting refresh tokens that were replaced long ago.',
  },
  refresh_shared: {
    kind: 'refresh-shared',
    threshold: 1,
    meaning: 'Two hand-outs of one pair of tokens are both used: a frozen tab, or a thief beside the owner.',
  },
  refresh_ahead: {
    kind: 'refresh-ahead',
    threshold: 1,
    meaning: 'Customers hold tokens that are newer than the table: was it restored from a backup?',
  },
  code_reuse: {
    kind: 'code-reuse',
    threshold: 1,
    meaning: 'An authorization code was used a second time: somebody may have seen it.',
  },
  'store-disconnected': {
    kind: 'store-disconnected',
    threshold: 1,
    meaning: 'The platform refuses the access of a store (STORE_DISCONNECTED).',
  },
  store_access: {
    kind: 'store-access',
    threshold: 1,
    meaning: 'A store has not granted, or has taken back, an access that the service cannot do without.',
  },
  api_version: {
    kind: 'api-version',
    threshold: 1,
    meaning:
      'The platform answers with another version of its Admin API than the one asked for: that one has expired.',
  },
  data_request: {
    kind: 'data-request',
    threshold: 1,
    meaning: 'Somebody has waited for 20 days for what the law gives 30 days for.',
  },
  key_outside_networks: {
    kind: 'key-outside-networks',
    threshold: 1,
    meaning: 'An admin key was used outside its networks: it may be stolen, or the server has moved.',
  },
  sign_in_subject: {
    kind: 'sign-in-subject',
    threshold: 1,
    meaning: 'An id_token named another customer than the platform did: the sign-in was rejected.',
  },
  sign_in_discovery: {
    kind: 'sign-in-discovery',
    severity: 'page',
    threshold: 1,
    meaning:
      "A store's sign-in has moved to other addresses; it is not followed before an operator accepts it.",
  },
  not_from_edge: {
    kind: 'edge-bypassed',
    needs: 'edge',
    threshold: 20,
    meaning:
      'Requests reach the API without the secret of the edge: past it, or the edge sends another secret.',
  },
  smoke_test_undecided: {
    kind: 'smoke-test-undecided',
    needs: 'smoke test',
    threshold: 1,
    meaning:
      'The smoke test of a deploy could not try everything: it has no store, or the live version fails alike.',
  },
  webhook_endpoint_disabled: {
    kind: 'webhook-endpoint-disabled',
    threshold: 1,
    meaning:
      "A store's endpoint accepted nothing for a day, or said that it is gone: it is sent nothing more.",
  },
  postponement_late: {
    kind: 'postponement-late',
    threshold: 1,
    meaning:
      'Fewer than three orders of a postponed contract have their dates, and the platform refuses further ones.',
  },
  billing_charged_twice: {
    kind: 'billing-charged-twice',
    severity: 'page',
    threshold: 1,
    meaning: 'An order of a store that the service bills was paid twice.',
  },
  billing_run_late: {
    kind: 'billing-run-late',
    severity: 'page',
    threshold: 1,
    meaning: "A store's run of billing began an hour late, or has orders without outcome after six hours.",
  },
  billing_run_on_hold: {
    kind: 'billing-run-held',
    threshold: 1,
    meaning: "A store's run of billing is on hold: nothing is charged until somebody confirms it.",
  },
  billing_orders_reported: {
    kind: 'billing-orders-reported',
    threshold: 1,
    meaning: 'Orders that were to be charged were not, and somebody has to look.',
  },
  billing_stopped: {
    kind: 'billing-stopped',
    threshold: 1,
    meaning: 'Billing of a store is stopped: its orders wait.',
  },
  token_keys: {
    kind: 'token-keys',
    severity: 'page',
    threshold: 1,
    meaning: 'The ring of token keys cannot be read. Functions go on with the one in memory.',
  },
};

const FAILED_SIGN_INS_PERCENT = 50;
const MIN_FAILED_SIGN_INS = 10;
const THROTTLED_RATIO = 0.2;

/** Returns the alarms of the events that an environment with this configuration can log. */
export function defineEventAlarms(
  metrics: ServiceMetrics,
  { edge, production }: Pick<EnvironmentConfig, 'edge' | 'production'>,
): AlarmDefinition[] {
  const isPresentByNeed = { edge: edge !== undefined, 'smoke test': production };
  const loggedAlarms = Object.entries(LOGGED_ALARMS)
    .filter(([, { needs }]) => needs === undefined || isPresentByNeed[needs])
    .map(
      ([alarm, { kind, severity = 'ticket', threshold, meaning }]): AlarmDefinition => ({
        kind,
        severity,
        meaning,
        metric: metrics.alarms(alarm),
        threshold,
        periods: [1, 1],
      }),
    );
  const edgeAlarms = isPresentByNeed.edge ? [defineEdgeRefusedAlarm(metrics)] : [];
  return [
    ...loggedAlarms,
    ...edgeAlarms,
    defineSignInFailuresAlarm(metrics),
    defineThrottledStoresAlarm(metrics),
    defineOpenIntentsAlarm(metrics),
  ];
}

function defineSignInFailuresAlarm(metrics: ServiceMetrics): AlarmDefinition {
  const refusedExchanges = metrics.requests({ route: EXCHANGE_PATH, outcome: 'refused' });
  const okRequests = metrics.requests({ route: EXCHANGE_PATH, outcome: 'ok' });
  return {
    kind: 'sign-ins-fail',
    severity: 'ticket',
    meaning: `${FAILED_SIGN_INS_PERCENT} % or more of the sign-ins fail when the app exchanges its code.`,
    metric: new MathExpression({
      expression: `IF(FILL(failed, 0) >= ${MIN_FAILED_SIGN_INS}, 100 * failed / (failed + FILL(ok, 0)), 0)`,
      usingMetrics: { failed: refusedExchanges, ok: okRequests },
      period: refusedExchanges.period,
      label: '%',
    }),
    threshold: FAILED_SIGN_INS_PERCENT,
    periods: [3, 3],
  };
}

function defineThrottledStoresAlarm(metrics: ServiceMetrics): AlarmDefinition {
  return {
    kind: 'store-throttled',
    severity: 'ticket',
    meaning: `${100 * THROTTLED_RATIO} % or more of a store's requests are throttled by the platform.`,
    metric: metrics.throttledShares(),
    threshold: THROTTLED_RATIO,
    periods: [3, 3],
  };
}

function defineOpenIntentsAlarm(metrics: ServiceMetrics): AlarmDefinition {
  return {
    kind: 'intents-open',
    severity: 'ticket',
    meaning: 'Changes of contracts have no known outcome for more than an hour.',
    metric: metrics.openIntents(),
    threshold: 1,
    periods: [1, 1],
  };
}
