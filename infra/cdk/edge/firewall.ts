/**
 * The firewall before the service: bodies that no client sends, who asks too often from one address, whom AWS knows as an attacker, what AWS knows as
 * an attack, and bodies without end. Not used: AWS's list of anonymous addresses, for merchants' servers stand in data
 * centres; its common rules, which refuse bodies above 8 KB.
 */
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { rateRules, refusals } from '../../definition/edge-rules.ts';
import { bodyBeyondLimit, labelled, managedList, notJson, rateOf } from './firewall-statements.ts';

type RefusalName = keyof typeof refusals;
type Rule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>;

const REPUTATION = 'awswaf:managed:aws:amazon-ip-list:';
/** Of the list of addresses: what AWS itself would refuse. Its third label only counts. */
const ATTACKERS = ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'].map(
  (name) => REPUTATION + name,
);
const KNOWN_BAD_INPUTS = 'awswaf:managed:aws:known-bad-inputs:';

/** The rules in their order. A managed list cannot answer in our words, so it labels and the rule after it refuses. */
const rules: readonly Rule[] = [
  refuse('body-beyond-limit', 'tooLarge', bodyBeyondLimit()),
  refuse('not-json', 'notJson', notJson()),
  ...rateRules.map((rule) => refuse(`rate-${rule.name}`, 'tooMany', rateOf(rule))),
  label('ip-reputation', 'AWSManagedRulesAmazonIpReputationList'),
  refuse('attackers', 'tooMany', labelled(...ATTACKERS)),
  label('known-bad-inputs', 'AWSManagedRulesKnownBadInputsRuleSet'),
  refuse('attacks', 'tooMany', labelled(KNOWN_BAD_INPUTS)),
];

/** The firewall of a distribution; `name` in CloudWatch and in the console. */
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

/** No samples: they show requests with all their headers, and so with credentials. */
function visibleAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
