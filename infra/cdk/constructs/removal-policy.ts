/** The removal policy of resources that hold data, or that an operator may roll back to. */
import { RemovalPolicy } from 'aws-cdk-lib';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';

/**
 * Returns RETAIN in production, except when the deploy that created the resource fails: a retained leftover would block
 * the next deploy with a name that `already exists` or a version with the same code.
 */
export function chooseRemovalPolicy({ production }: Pick<EnvironmentConfig, 'production'>): RemovalPolicy {
  return production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
