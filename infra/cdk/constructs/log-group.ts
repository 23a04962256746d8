/** A log group with the environment's retention. In production it stays: a restore is replayed from the log. */
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/config.ts';
import { removalPolicy } from './removal-policy.ts';

/** The log group of one part of the service. */
export function createLogGroup(scope: Construct, logGroupName: string, config: EnvironmentConfig): LogGroup {
  return new LogGroup(scope, 'LogGroup', {
    logGroupName,
    // The configuration holds the numbers that CloudWatch Logs knows, and so does CDK's enumeration.
    retention: config.logRetentionDays as RetentionDays,
    removalPolicy: removalPolicy(config),
  });
}
