/** What becomes of a thing that holds data, or that an operator may go back to, when its stack lets go of it. */
import { RemovalPolicy } from 'aws-cdk-lib';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';

/**
 * In production it stays, but for a deploy that made it and failed: what stayed of that would be in the way of the next
 * one, a name that `already exists` or a version that has the code already.
 */
export function removalPolicy({ production }: Pick<EnvironmentConfig, 'production'>): RemovalPolicy {
  return production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
