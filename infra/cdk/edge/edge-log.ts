/**
 * The distribution's access log, in CloudWatch. It omits what CloudFront's logs in a bucket contain: query strings,
 * cookies and referrers, which may hold a misplaced credential, and paths, which callers choose.
 */
import { Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { NamedEnvironment } from '../../definition/config.ts';
import { createLogGroup } from '../constructs/log-group.ts';

/** CloudFront, "Standard log fields". */
const LOG_FIELDS = [
  'timestamp(ms)',
  'c-ip',
  'cs-method',
  'sc-status',
  'sc-bytes',
  'cs-bytes',
  'time-taken',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
  'x-edge-request-id',
  'cs-protocol-version',
  'ssl-protocol',
];

/** Creates the log, one line for each request, with the environment's retention for access logs. */
export function createEdgeLog(
  scope: Construct,
  { name, config }: NamedEnvironment,
  distribution: Distribution,
): void {
  const logScope = new Construct(scope, 'Log');
  // AWS may deliver logs below this prefix without a resource policy in this stack.
  const logGroupName = `/aws/vendedlogs/subscriptions-${name}/edge`;
  const logGroup = createLogGroup(logScope, { name: logGroupName, retentionKey: 'access', config });
  const { partition, account } = Stack.of(scope);
  const deliverySource = new CfnDeliverySource(logScope, 'Source', {
    name: `subscriptions-${name}-edge`,
    logType: 'ACCESS_LOGS',
    resourceArn: `arn:${partition}:cloudfront::${account}:distribution/${distribution.distributionId}`,
  });
  const deliveryDestination = new CfnDeliveryDestination(logScope, 'Destination', {
    name: `subscriptions-${name}-edge`,
    outputFormat: 'json',
    destinationResourceArn: logGroup.logGroupArn,
  });
  const delivery = new CfnDelivery(logScope, 'Delivery', {
    deliverySourceName: deliverySource.name,
    deliveryDestinationArn: deliveryDestination.attrArn,
    recordFields: LOG_FIELDS,
  });
  delivery.node.addDependency(deliverySource);
}
