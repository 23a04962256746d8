/** Settings of an AWS client for an emulator on this machine. */

import { credentialsOf } from './credentials.ts';
import { lambdaEnvironment } from './lambda-environment.ts';
import { accessKeyOf } from './refuse-missing-right.ts';

/**
 * Returns the settings for the constructor of any client. Its credentials belong to no function, so it may do
 * everything.
 */
export function localAwsClient(endpoint: string) {
  const { AWS_REGION: region = '' } = lambdaEnvironment({ name: 'runner', memoryMb: 0 });
  return { endpoint, region, credentials: credentialsOf(accessKeyOf('runner')) };
}
