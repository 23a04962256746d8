/** Settings of an AWS client for an emulator on this machine. */

import { buildLambdaEnvironment } from './build-lambda-environment.ts';
import { accessKeyIdOfFunction } from './check-function-rights.ts';
import { deriveCredentials } from './credentials.ts';

/**
 * Returns the settings for the constructor of any client. Its credentials belong to no function, so it may do
 * everything.
 */
export function emulatorClientSettings(endpoint: string) {
  const { AWS_REGION: region = '' } = buildLambdaEnvironment({ name: 'runner', memoryMb: 0 });
  return { endpoint, region, credentials: deriveCredentials(accessKeyIdOfFunction('runner')) };
}
