/**
 * A log group with the environment's retention for its kind. It is retained in production, because a restore replays
 * the log.
 */
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';

type LogGroupInput = {
  readonly name: string;
  readonly retentionKey: keyof EnvironmentConfig['logRetentionDays'];
  readonly config: EnvironmentConfig;
  /** Whether CloudWatch refuses to delete the group until the protection is removed. */
  readonly isProtected?: boolean;
};

/** Creates the log group of one part of the service. */
export function createLogGroup(
  scope: Construct,
  { name, retentionKey, config, isProtected = false }: LogGroupInput,
): LogGroup {
  return new LogGroup(scope, 'LogGroup', {
    logGroupName: name,
    // The configuration allows the same numbers of days as CDK's enumeration.
    retention: config.logRetentionDays[retentionKey] as RetentionDays,
    removalPolicy: chooseRemovalPolicy(config),
    ...(isProtected && { deletionProtectionEnabled: true }),
  });
}
