/** Settings of an AWS client that talks to a stand-in on this machine. */
import { lambdaEnvironment } from './lambda-environment.ts';

/** For the constructor of any client. The credentials are made up: the stand-ins do not check them. */
export function localAwsClient(endpoint: string) {
  const { AWS_REGION: region = '', AWS_ACCESS_KEY_ID: accessKeyId = '' } = lambdaEnvironment({
    name: 'runner',
    memoryMb: 0,
  });
  return { endpoint, region, credentials: { accessKeyId, secretAccessKey: accessKeyId } };
}
