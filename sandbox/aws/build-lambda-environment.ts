/** The environment variables and the context that Lambda itself adds to every function. */

import { accessKeyIdOfFunction } from './check-function-rights.ts';
import { deriveCredentials } from './credentials.ts';

export type LambdaIdentity = { readonly name: string; readonly memoryMb: number };

const LOCAL_REGION = 'us-east-1';
const ACCOUNT_ID = '000000000000';

/** Returns the variables that Lambda defines, for a function on this machine. The credentials are invented. */
export function buildLambdaEnvironment({ name, memoryMb }: LambdaIdentity): Record<string, string> {
  const { accessKeyId, secretAccessKey, sessionToken } = deriveCredentials(accessKeyIdOfFunction(name));
  return {
    TZ: 'UTC',
    LANG: 'en_US.UTF-8',
    _HANDLER: 'index.handler',
    AWS_REGION: LOCAL_REGION,
    AWS_DEFAULT_REGION: LOCAL_REGION,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: formatFunctionName(name),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${memoryMb}`,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    AWS_LAMBDA_LOG_GROUP_NAME: formatLogGroup(name),
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
  };
}

/** Returns the fields of a handler's context that do not change between invocations. */
export function buildLambdaContext({ name, memoryMb }: LambdaIdentity): Record<string, string> {
  return {
    functionName: formatFunctionName(name),
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${LOCAL_REGION}:${ACCOUNT_ID}:function:${formatFunctionName(name)}`,
    memoryLimitInMB: `${memoryMb}`,
    logGroupName: formatLogGroup(name),
    logStreamName: 'local',
  };
}

function formatFunctionName(name: string): string {
  return `subscriptions-local-${name}`;
}

function formatLogGroup(name: string): string {
  return `/aws/lambda/${formatFunctionName(name)}`;
}
