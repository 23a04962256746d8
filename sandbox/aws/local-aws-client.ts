/** Settings of an AWS client that talks to a stand-in on this machine. */

import { credentialsOf } from './credentials.ts';
import { lambdaEnvironment } from './lambda-environment.ts';
import { accessKeyOf } from './refuse-missing-right.ts';

/** The settings for the constructor of any client. Whoever signs so is no function, and may do everything. */
export function localAwsClient(endpoint: string) {
  const { AWS_REGION: region = '' } = lambdaEnvironment({ name: 'runner', memoryMb: 0 });
  return { endpoint, region, credentials: credentialsOf(accessKeyOf('runner')) };
}
