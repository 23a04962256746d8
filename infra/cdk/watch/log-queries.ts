/** The most frequent log queries, saved in CloudWatch Logs Insights under Queries. */
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { EXCHANGE_PATH } from '../../definition/routes.ts';
import type { ServiceFunction } from '../constructs/function.ts';

const REQUESTS_FILTER = 'filter message = "request"';

/** Queries by name. The reader fills in the placeholders `<…>`. */
const LOG_QUERIES: Readonly<Record<string, string>> = {
  'one request by its id': 'fields @message | filter requestId = "<request id>" | sort @timestamp',
  'failed requests': `${REQUESTS_FILTER} and outcome in ["failed", "unavailable"] | fields @timestamp, requestId, route, status, outcome, errorCode, shopId, durationMs | sort @timestamp desc | limit 50`,
  'rejected requests by route, code and reason': `${REQUESTS_FILTER} and outcome = "refused" | stats count(*) as requests by route, errorCode, reason | sort requests desc`,
  'why a request was refused': `${REQUESTS_FILTER} and requestId = "<request id>" | fields @timestamp, route, status, outcome, errorCode, reason, userErrors, refusal, shopId, keyId`,
  'refused changes by store and user error': `${REQUESTS_FILTER} and ispresent(userErrors) | stats count(*) as requests by shopId, userErrors | sort requests desc | limit 50`,
  'slowest requests': `${REQUESTS_FILTER} | fields @timestamp, requestId, route, shopId, durationMs | sort durationMs desc | limit 50`,
  'requests and throttling by store': `${REQUESTS_FILTER} and ispresent(shopId) | stats count(*) as requests, avg(throttled) as throttledShare, pct(durationMs, 99) as p99Ms by shopId | sort requests desc`,
  'sign-ins by outcome': `${REQUESTS_FILTER} and route = "${EXCHANGE_PATH}" | stats count(*) as signIns by bin(1h), outcome, errorCode`,
  'use of an admin key': `${REQUESTS_FILTER} and keyId = "<key id>" | stats count(*) as requests by bin(1d), outcome`,
  'changes made with an admin key':
    'filter message = "store_change" and keyId = "<key id>" | fields @timestamp, root, outcome, ids, fields, customerId, requestId | sort @timestamp asc | limit 10000',
  alarms:
    'filter ispresent(alarm) | fields @timestamp, alarm, message, shopId, customerId | sort @timestamp desc | limit 50',
};

/** Saves the queries for the logs of all functions. */
export function createLogQueries(
  scope: Construct,
  environmentName: string,
  functions: readonly ServiceFunction[],
): void {
  const queriesScope = new Construct(scope, 'LogQueries');
  for (const [name, queryString] of Object.entries(LOG_QUERIES)) {
    new CfnQueryDefinition(queriesScope, name, {
      name: `subscriptions-${environmentName}/${name}`,
      queryString,
      logGroupNames: functions.map(({ logGroup }) => logGroup.logGroupName),
    });
  }
}
