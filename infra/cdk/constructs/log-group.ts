/** A log group with the environment's retention for its kind. In production it stays: a restore is replayed from the log. */
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { removalPolicy } from './removal-policy.ts';

type LogGroupInput = {
  readonly name: string;
  readonly retentionKey: keyof EnvironmentConfig['logRetentionDays'];
  readonly config: EnvironmentConfig;
  /** Nobody deletes it before taking this protection away. */
  readonly isProtected?: boolean;
};

/** The log group of one part of the service. */
export function createLogGroup(
  scope: Construct,
  { name, retentionKey, config, isProtected = false }: LogGroupInput,
): LogGroup {
  return new LogGroup(scope, 'LogGroup', {
    logGroupName: name,
    // The configuration holds the numbers that CloudWatch Logs knows, and so does CDK's enumeration.
    retention: config.logRetentionDays[retentionKey] as RetentionDays,
    removalPolicy: removalPolicy(config),
    ...(isProtected && { deletionProtectionEnabled: true }),
  });
}
