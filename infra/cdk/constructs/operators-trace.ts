/** The log group of the operators' audit trail. The command line records each change there before it makes it. */
import { Construct } from 'constructs';
import { formatOperatorsLogGroup } from '../../definition/operators-log-group.ts';
import { DEFAULT_DEPLOY_OPTIONS, type DeployedEnvironment } from './deploy-options.ts';
import { createLogGroup } from './log-group.ts';

/** Creates the log group of the trace. In production it is protected from deletion, and outlives the stack. */
export function createOperatorsTrace(
  scope: Construct,
  { name, config, deploy = DEFAULT_DEPLOY_OPTIONS }: DeployedEnvironment,
): void {
  createLogGroup(new Construct(scope, 'OperatorsTrace'), {
    name: formatOperatorsLogGroup(name),
    retentionKey: 'operators',
    config,
    isProtected: config.production && deploy.protection,
  });
}
