/**
 * The cdk-nag findings that are accepted, each with its reason. nag-checks.ts reads the lists; a test fails for an
 * entry that matches no finding.
 */
import { CfnResource, type Stack, Token, Validations } from 'aws-cdk-lib';
import { ROUTED_FUNCTION_NAMES } from '../definition/function-definitions.ts';
import { RIGHTS_BY_FUNCTION } from '../definition/rights.ts';
import { SMOKE_TEST_NAME } from '../definition/smoke-test-definition.ts';

type AcknowledgedFinding = {
  /** The rule; if the rule has several findings for one resource, also the finding. */
  readonly id: string;
  /** Paths of the resources below the stack. */
  readonly pathPattern: RegExp;
  readonly reason: string;
};

const SERVICE_ACKNOWLEDGEMENTS: readonly AcknowledgedFinding[] = [
  {
    id: 'AwsSolutions-APIG4',
    pathPattern: /^Routes\//,
    reason:
      'The functions verify credentials themselves: customers and stores have bearer tokens that no authorizer of ' +
      'API Gateway knows, and refusals must have the bodies of our errors. Sign-in begins without a credential.',
  },
  {
    id: 'AwsSolutions-SMG4',
    pathPattern: /^WebhookKeySecret\//,
    reason:
      "The ring seals the secrets of merchants' endpoints for as long as there are endpoints; a rotation by time would " +
      'leave them closed.',
  },
  {
    id: 'AwsSolutions-SMG4',
    pathPattern: /^TokenKeySecret\//,
    reason:
      'The ring of token keys turns in three steps that wait for all functions to have read it; `operator token-keys` ' +
      'does that. A rotation by time would sign customers out.',
  },
  {
    id: 'AwsSolutions-SMG4',
    pathPattern: /^TombstoneKeySecret\//,
    reason:
      'Tombstones are found by their hash under this key for 35 days. A rotation would make them nobody’s, and it ' +
      'opens nothing.',
  },
  {
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    pathPattern: /^Canary\/[^/]+\/ServiceRole\//,
    reason:
      "CodeDeploy's own role for Lambda; it is not a function's, and AWS keeps it as CodeDeploy needs it.",
  },
  {
    id: 'Serverless-SNSRedrivePolicy',
    pathPattern: /^(Page|Ticket)Topic\/[^/]+@[^/]+\//,
    reason:
      'A mail that cannot be delivered for six hours would wait in a queue that nobody reads; the alarm still shows on ' +
      'the dashboard, and tells again when it ends.',
  },
  {
    id: 'Serverless-LambdaDLQ',
    pathPattern: /^[^/]+\/Function\//,
    reason:
      'API Gateway waits for the answer, so nothing is queued. Scheduled work finds at its next run all that a ' +
      'lost run would have done.',
  },
  {
    id: 'Serverless-LambdaAsyncFailureDestination',
    pathPattern: /^[^/]+\/Live\/EventInvokeConfig\//,
    reason:
      'The event of a run that failed or was dropped holds nothing but its time, and the next run does its work. The ' +
      'alarms function-errors, function-throttled and scheduled-work-missing report it.',
  },
  {
    id: 'Serverless-LambdaEventSourceMappingDestination',
    pathPattern: /^Bell$/,
    reason:
      'A record says only that something was written. A batch that is lost is made up for by the next minute of the ' +
      'schedule, which reads the queue, so nobody would read the records of failed batches.',
  },
  {
    id: 'Serverless-LambdaTracing',
    pathPattern: /\/Function\/Resource$/,
    reason:
      'X-Ray would record 5 % of the requests, at a price that Lambda lets nobody lower, and show of each only how long ' +
      'the function took and whether it started: the log has both of every request.',
  },
];

/** Accepted findings of the edge's stack. */
const EDGE_ACKNOWLEDGEMENTS: readonly AcknowledgedFinding[] = [
  {
    id: 'AwsSolutions-CFR1',
    pathPattern: /^Distribution\//,
    reason:
      'Customers buy, and travel, in any country; who may not is a matter of the stores, and a country is no attacker.',
  },
  {
    id: 'AwsSolutions-CFR3',
    pathPattern: /^Distribution\//,
    reason:
      'Its log goes to CloudWatch Logs (edge-log.ts), which lets fields be chosen; the kind that this rule knows writes ' +
      'query strings, cookies and paths into a bucket, and with them what somebody put there by mistake.',
  },
  ...SERVICE_ACKNOWLEDGEMENTS.filter(({ id }) => id === 'Serverless-SNSRedrivePolicy'),
];

/** Acknowledges the accepted findings of the edge's stack. */
export function acknowledgeEdgeFindings(stack: Stack): void {
  addAcknowledgements(stack, EDGE_ACKNOWLEDGEMENTS);
}

/** Acknowledges the accepted findings of the service's stack. */
export function acknowledgeFindings(stack: Stack, secretsPrefix: string): void {
  addAcknowledgements(stack, listServiceAcknowledgements(stack, secretsPrefix));
}

function addAcknowledgements(stack: Stack, acknowledgements: readonly AcknowledgedFinding[]): void {
  for (const construct of stack.node.findAll()) {
    if (!CfnResource.isCfnResource(construct)) continue;
    const path = construct.node.path.slice(stack.node.path.length + 1);
    for (const { id, pathPattern, reason } of acknowledgements) {
      if (pathPattern.test(path)) Validations.of(construct).acknowledge({ id, reason });
    }
  }
}

/** @internal A test requires that each entry matches a finding. */
export function listEdgeAcknowledgements(): readonly AcknowledgedFinding[] {
  return EDGE_ACKNOWLEDGEMENTS;
}

/** @internal A test requires that each entry matches a finding, so that no entry outlives its reason. */
export function listServiceAcknowledgements(
  stack: Stack,
  secretsPrefix: string,
): readonly AcknowledgedFinding[] {
  return [
    ...SERVICE_ACKNOWLEDGEMENTS,
    ...acknowledgeStoreSecretWildcards(stack, secretsPrefix),
    ...acknowledgeVersionWildcards(stack),
  ];
}

/** One entry for each function and kind of secret, so that any other wildcard in the same policy is still a finding. */
function acknowledgeStoreSecretWildcards(stack: Stack, secretsPrefix: string): AcknowledgedFinding[] {
  const secretArnPrefix = formatServiceArnPrefix(stack, 'secretsmanager');
  return Object.entries(RIGHTS_BY_FUNCTION).flatMap(([name, { secrets }]) =>
    Object.keys(secrets)
      .filter((pattern) => pattern.includes('*'))
      .map((pattern) => ({
        id: `AwsSolutions-IAM5[Resource::arn:${secretArnPrefix}:secret:${secretsPrefix}/${pattern}-??????]`,
        pathPattern: new RegExp(`^${name}/Role/`),
        reason:
          'A store is installed while the service runs, so its id is not known to the stack; the prefix and the kind of ' +
          "secret are, and the six last characters are Secrets Manager's own.",
      })),
  );
}

/** Production's smoke test may call the versions of each function that requests reach. */
function acknowledgeVersionWildcards(stack: Stack): AcknowledgedFinding[] {
  const functionArnPrefix = formatServiceArnPrefix(stack, 'lambda');
  return ROUTED_FUNCTION_NAMES.map((name) => ({
    id: `AwsSolutions-IAM5[Resource::arn:${functionArnPrefix}:function:${stack.stackName}-${name}:*]`,
    pathPattern: new RegExp(`^${SMOKE_TEST_NAME}/Role/`),
    reason:
      "A version's number is given when it is made, seconds before it is tried, and a right so young may not have " +
      'reached all of IAM. Only versions of this one function are meant by it.',
  }));
}

/** Returns `aws:lambda:eu-central-1:123456789012`, with placeholders as cdk-nag writes them for unknown values. */
function formatServiceArnPrefix(stack: Stack, service: string): string {
  const resolveOrPlaceholder = (value: string, name: string) =>
    Token.isUnresolved(value) ? `<AWS::${name}>` : value;
  const partition = resolveOrPlaceholder(stack.partition, 'Partition');
  return `${partition}:${service}:${resolveOrPlaceholder(stack.region, 'Region')}:${resolveOrPlaceholder(stack.account, 'AccountId')}`;
}
