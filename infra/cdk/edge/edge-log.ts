/**
 * The log of the distribution, in CloudWatch. The other kind of log, in a bucket, holds what this one leaves out: query
 * strings, cookies and referrers, which may hold a credential that came by the wrong way, and paths, which anybody fills.
 */
import { Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { NamedEnvironment } from '../../definition/config.ts';
import { createLogGroup } from '../constructs/log-group.ts';

/** CloudFront, "Standard log fields". */
const FIELDS = [
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

/** One line a request, for the environment's time of access logs. */
export function createEdgeLog(
  scope: Construct,
  { name, config }: NamedEnvironment,
  distribution: Distribution,
): void {
  const own = new Construct(scope, 'Log');
  // Below this prefix AWS may deliver without a policy of ours.
  const group = `/aws/vendedlogs/subscriptions-${name}/edge`;
  const logGroup = createLogGroup(own, { name: group, retentionKey: 'access', config });
  const { partition, account } = Stack.of(scope);
  const source = new CfnDeliverySource(own, 'Source', {
    name: `subscriptions-${name}-edge`,
    logType: 'ACCESS_LOGS',
    resourceArn: `arn:${partition}:cloudfront::${account}:distribution/${distribution.distributionId}`,
  });
  const destination = new CfnDeliveryDestination(own, 'Destination', {
    name: `subscriptions-${name}-edge`,
    outputFormat: 'json',
    destinationResourceArn: logGroup.logGroupArn,
  });
  const delivery = new CfnDelivery(own, 'Delivery', {
    deliverySourceName: source.name,
    deliveryDestinationArn: destination.attrArn,
    recordFields: FIELDS,
  });
  delivery.node.addDependency(source);
}
