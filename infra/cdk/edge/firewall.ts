/**
 * The firewall in front of the service. It refuses bodies that no client sends, too many requests from one address,
 * addresses that AWS lists as attackers, requests that AWS recognizes as attacks, and bodies without a length. Two of
 * AWS's groups are not used: anonymous addresses, because merchants' servers are in data centres, and the common rules,
 * which refuse bodies above 8 KB.
 */
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { EDGE_RESPONSES, RATE_RULES } from '../../definition/edge-rules.ts';
import {
  matchLabels,
  matchNotJson,
  matchRateAbove,
  matchTooLargeBody,
  useManagedRuleGroup,
} from './firewall-statements.ts';

type EdgeResponseName = keyof typeof EDGE_RESPONSES;
type FirewallRule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>;

const REPUTATION_LABEL_PREFIX = 'awswaf:managed:aws:amazon-ip-list:';
/** The labels of the IP reputation list that AWS itself blocks. The list's third label only counts. */
const ATTACKER_LABELS = ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'].map(
  (name) => REPUTATION_LABEL_PREFIX + name,
);
const KNOWN_BAD_INPUTS_LABEL_PREFIX = 'awswaf:managed:aws:known-bad-inputs:';

/**
 * The rules in their order. A managed group cannot send the service's own responses, so it labels and the next rule
 * refuses.
 */
const firewallRules: readonly FirewallRule[] = [
  createBlockingRule('body-beyond-limit', 'tooLarge', matchTooLargeBody()),
  createBlockingRule('not-json', 'notJson', matchNotJson()),
  ...RATE_RULES.map((rule) => createBlockingRule(`rate-${rule.name}`, 'tooMany', matchRateAbove(rule))),
  createLabellingRule('ip-reputation', 'AWSManagedRulesAmazonIpReputationList'),
  createBlockingRule('attackers', 'tooMany', matchLabels(...ATTACKER_LABELS)),
  createLabellingRule('known-bad-inputs', 'AWSManagedRulesKnownBadInputsRuleSet'),
  createBlockingRule('attacks', 'tooMany', matchLabels(KNOWN_BAD_INPUTS_LABEL_PREFIX)),
];

/** Creates the distribution's firewall; `name` appears in CloudWatch and in the console. */
export function createFirewall(scope: Construct, name: string): CfnWebACL {
  return new CfnWebACL(scope, 'Firewall', {
    name,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: createVisibilityConfig(name),
    customResponseBodies: Object.fromEntries(
      Object.entries(EDGE_RESPONSES).map(([key, { body }]) => [
        key,
        { contentType: 'APPLICATION_JSON', content: body },
      ]),
    ),
    rules: firewallRules.map((rule, priority) => ({
      ...rule,
      priority,
      visibilityConfig: createVisibilityConfig(rule.name),
    })),
  });
}

function createBlockingRule(
  name: string,
  refusal: EdgeResponseName,
  statement: CfnWebACL.StatementProperty,
): FirewallRule {
  const { status, headers } = EDGE_RESPONSES[refusal];
  const customResponse = {
    responseCode: status,
    customResponseBodyKey: refusal,
    responseHeaders: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
  };
  return { name, statement, action: { block: { customResponse } } };
}

function createLabellingRule(name: string, ruleGroupName: string): FirewallRule {
  return { name, statement: useManagedRuleGroup(ruleGroupName), overrideAction: { count: {} } };
}

/** Samples are off: they show requests with all headers, and so with credentials. */
function createVisibilityConfig(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
