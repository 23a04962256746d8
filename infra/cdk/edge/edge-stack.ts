/**
 * The edge in front of the service, in its own stack: CloudFront takes firewalls and certificates from one region only.
 * It refers to the service by configured names, so neither stack reads the other's outputs.
 */
import { type App, CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import { EDGE_REGION } from '../../definition/edge-config.ts';
import { DEFAULT_DEPLOY_OPTIONS, type DeployedEnvironment } from '../constructs/deploy-options.ts';
import { createDistribution } from './distribution.ts';
import { createEdgeLog } from './edge-log.ts';
import { createFirewall } from './firewall.ts';
import { watchEdge } from './watch-edge.ts';

/**
 * Creates the stack `subscriptions-<environment>-edge`.
 * @returns undefined when the environment has no edge
 */
export function createEdgeStack(app: App, environment: DeployedEnvironment): Stack | undefined {
  const { name, config, deploy = DEFAULT_DEPLOY_OPTIONS } = environment;
  const { edge } = config;
  if (edge === undefined) return undefined;
  const stackName = `subscriptions-${name}-edge`;
  const stack = new Stack(app, stackName, {
    stackName,
    description: `Edge of the subscription management service, ${name}`,
    terminationProtection: config.production && deploy.protection,
    env: { ...(config.account && { account: config.account }), region: EDGE_REGION },
  });
  Tags.of(stack).add('service', 'subscriptions');
  Tags.of(stack).add('environment', name);
  const firewall = createFirewall(stack, stackName);
  const distribution = createDistribution(stack, { config, edge, firewallArn: firewall.attrArn });
  createEdgeLog(stack, environment, distribution);
  const topics = watchEdge(stack, { environment, firewallName: stackName, distribution });
  const createOutput = (id: string, value: string, description: string) =>
    new CfnOutput(stack, id, { value, description });
  createOutput(
    'EdgeTarget',
    distribution.distributionDomainName,
    "Where the DNS record of the viewer's domain must point",
  );
  createOutput('PageTopicArn', topics.page.topicArn, 'Subscribe here to be woken by the edge');
  createOutput(
    'TicketTopicArn',
    topics.ticket.topicArn,
    'Subscribe here to be told what of the edge can wait for the day',
  );
  return stack;
}
