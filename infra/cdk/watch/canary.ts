/**
 * How a new version takes over in production: 10 % of the requests for five minutes, then all. If an alarm rings
 * meanwhile, the alias goes back to the version before and the deploy is undone. Groups and alarms are there even if a
 * deploy leaves the canary out: the next one has it again. Which alarms undo a deploy is said where they are made, as
 * `undoes`: route-alarms.ts and function-alarms.ts.
 */
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { type Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type DeployedEnvironment, usualDeploy } from '../constructs/deploy-options.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { MadeAlarm } from './create-alarms.ts';

export type CanaryInput = {
  readonly environment: DeployedEnvironment;
  /** The functions that requests reach; a share of the scheduled work would be a run or none. */
  readonly functions: readonly ServiceFunction[];
  readonly alarms: readonly MadeAlarm[];
};

/** A deployment group for each function's alias. */
export function createCanary(scope: Construct, { environment, functions, alarms }: CanaryInput): void {
  const { deploy = usualDeploy } = environment;
  const own = new Construct(scope, 'Canary');
  const application = new LambdaApplication(own, 'Application', {
    applicationName: `subscriptions-${environment.name}`,
  });
  for (const { name, alias } of functions) {
    new LambdaDeploymentGroup(own, name, {
      application,
      deploymentGroupName: name,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      // CodeDeploy takes ten at most: each function has its own.
      alarms: alarms.filter(({ undoes }) => undoes === name).map(({ alarm }) => alarm),
      autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
    });
    if (!deploy.canary) moveAtOnce(alias);
  }
}

/** CloudFormation moves the alias itself: CodeDeploy refuses while an alarm rings, or if it was moved by hand. */
function moveAtOnce(alias: Alias): void {
  const resource = alias.node.defaultChild;
  if (!(resource instanceof CfnAlias)) throw new TypeError('The alias has no resource to move.');
  delete resource.cfnOptions.updatePolicy;
}
