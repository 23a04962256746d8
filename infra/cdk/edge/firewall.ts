/**
 * The firewall in front of the service. It refuses bodies that no client sends, too many requests from one address,
 * addresses that AWS lists as attackers, requests that AWS recognizes as attacks, and bodies without a length. Two of
 * AWS's groups are not used: anonymous addresses, because merchants' servers are in data centres, and the common rules,
 * which refuse bodies above 8 KB.
 */
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { rateRules, refusals } from '../../definition/edge-rules.ts';
import { bodyBeyondLimit, labelled, managedList, notJson, rateOf } from './firewall-statements.ts';

type RefusalName = keyof typeof refusals;
type Rule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>;

const REPUTATION = 'awswaf:managed:aws:amazon-ip-list:';
/** The labels of the IP reputation list that AWS itself blocks. The list's third label only counts. */
const ATTACKERS = ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'].map(
  (name) => REPUTATION + name,
);
const KNOWN_BAD_INPUTS = 'awswaf:managed:aws:known-bad-inputs:';

/**
 * The rules in their order. A managed group cannot send the service's own responses, so it labels and the next rule
 * refuses.
 */
const rules: readonly Rule[] = [
  refuse('body-beyond-limit', 'tooLarge', bodyBeyondLimit()),
  refuse('not-json', 'notJson', notJson()),
  ...rateRules.map((rule) => refuse(`rate-${rule.name}`, 'tooMany', rateOf(rule))),
  label('ip-reputation', 'AWSManagedRulesAmazonIpReputationList'),
  refuse('attackers', 'tooMany', labelled(...ATTACKERS)),
  label('known-bad-inputs', 'AWSManagedRulesKnownBadInputsRuleSet'),
  refuse('attacks', 'tooMany', labelled(KNOWN_BAD_INPUTS)),
];

/** Creates the distribution's firewall; `name` appears in CloudWatch and in the console. */
export function createFirewall(scope: Construct, name: string): CfnWebACL {
  return new CfnWebACL(scope, 'Firewall', {
    name,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visibleAs(name),
    customResponseBodies: Object.fromEntries(
      Object.entries(refusals).map(([key, { body }]) => [
        key,
        { contentType: 'APPLICATION_JSON', content: body },
      ]),
    ),
    rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visibleAs(rule.name) })),
  });
}

function refuse(name: string, refusal: RefusalName, statement: CfnWebACL.StatementProperty): Rule {
  const { status, headers } = refusals[refusal];
  const customResponse = {
    responseCode: status,
    customResponseBodyKey: refusal,
    responseHeaders: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
  };
  return { name, statement, action: { block: { customResponse } } };
}

function label(name: string, list: string): Rule {
  return { name, statement: managedList(list), overrideAction: { count: {} } };
}

/** Samples are off: they show requests with all headers, and so with credentials. */
function visibleAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
