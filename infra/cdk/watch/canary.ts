/**
 * The rollout of a new version in production: the smoke test calls it first, then it gets 10 % of the requests for five
 * minutes, then all. If the test fails, or an alarm rings in the meantime, the alias moves back to the previous version
 * and the deploy is rolled back. Deployment groups and alarms exist even when a deploy omits the canary, so the next
 * deploy has it again. The alarms that roll back a deploy have `rolledBackFunction` (route-alarms.ts, function-alarms.ts).
 */
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Alias, CfnAlias, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { DEFAULT_DEPLOY_OPTIONS, type DeployedEnvironment } from '../constructs/deploy-options.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { CreatedAlarm } from './create-alarms.ts';

export type CanaryInput = {
  readonly environment: DeployedEnvironment;
  /** The functions that requests reach; a share of the scheduled work would be a run or none. */
  readonly functions: readonly ServiceFunction[];
  readonly alarms: readonly CreatedAlarm[];
  /** Tries the new versions before any request reaches them. */
  readonly smokeTest: IFunction;
};

/** Creates a deployment group for each function's alias. */
export function createCanary(
  scope: Construct,
  { environment, functions, alarms, smokeTest }: CanaryInput,
): void {
  const { deploy = DEFAULT_DEPLOY_OPTIONS } = environment;
  const canaryScope = new Construct(scope, 'Canary');
  const deployApplication = new LambdaApplication(canaryScope, 'Application', {
    applicationName: `subscriptions-${environment.name}`,
  });
  for (const { name, alias } of functions) {
    const deploymentGroup = new LambdaDeploymentGroup(canaryScope, name, {
      application: deployApplication,
      deploymentGroupName: name,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      // CodeDeploy accepts at most ten alarms, so each function's deploy has only the alarms of this function.
      alarms: alarms
        .filter(({ rolledBackFunction }) => rolledBackFunction === name)
        .map(({ alarm }) => alarm),
      autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
    });
    addSmokeTestHook({ alias, group: deploymentGroup, smokeTest });
    if (!deploy.canary) moveAliasImmediately(alias);
  }
}

type CanaryDeployment = {
  readonly alias: Alias;
  readonly group: LambdaDeploymentGroup;
  readonly smokeTest: IFunction;
};

/**
 * Adds the smoke test as the hook before traffic moves. CDK's own `preHook` would allow CodeDeploy to run any version
 * of the test, although there is only one.
 */
function addSmokeTestHook({ alias, group, smokeTest }: CanaryDeployment): void {
  const aliasResource = findCfnAlias(alias);
  const { codeDeployLambdaAliasUpdate: update } = aliasResource.cfnOptions.updatePolicy ?? {};
  if (update === undefined) throw new TypeError('The alias is not moved by CodeDeploy.');
  const beforeAllowTrafficHook = smokeTest.functionName;
  aliasResource.cfnOptions.updatePolicy = {
    codeDeployLambdaAliasUpdate: { ...update, beforeAllowTrafficHook },
  };
  const actions = ['lambda:InvokeFunction'];
  group.role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [smokeTest.functionArn] }));
}

/** Lets CloudFormation move the alias without CodeDeploy, which refuses while an alarm rings or after a manual move. */
function moveAliasImmediately(alias: Alias): void {
  delete findCfnAlias(alias).cfnOptions.updatePolicy;
}

function findCfnAlias(alias: Alias): CfnAlias {
  const resource = alias.node.defaultChild;
  if (!(resource instanceof CfnAlias)) throw new TypeError('The alias has no resource to move.');
  return resource;
}
