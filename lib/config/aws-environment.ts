/**
 * Reads region, credentials and endpoints of AWS for the service's own AWS client. Lambda sets these environment
 * variables.
 */
import * as z from 'zod/mini';
import { isLoopbackHost } from './browser-origin.ts';
import { parseEnvironmentVariables } from './parse-environment-variables.ts';

const requiredTextSchema = z.string('is missing').check(z.minLength(1, 'must not be empty'));
const optionalEndpointSchema = z.optional(
  z.string().check(z.refine(isAllowedEndpoint, 'must be an https address, or an http one of this machine')),
);

const environmentSchema = z.object({
  AWS_REGION: requiredTextSchema.check(z.regex(/^[a-z0-9-]+$/, 'must be a region')),
  AWS_ACCESS_KEY_ID: requiredTextSchema,
  AWS_SECRET_ACCESS_KEY: requiredTextSchema,
  AWS_SESSION_TOKEN: z.optional(z.string()),
  AWS_ENDPOINT_URL: optionalEndpointSchema,
  AWS_ENDPOINT_URL_DYNAMODB: optionalEndpointSchema,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: optionalEndpointSchema,
  AWS_ENDPOINT_URL_CODEDEPLOY: optionalEndpointSchema,
  AWS_ENDPOINT_URL_LAMBDA: optionalEndpointSchema,
});

export type AwsService = 'dynamodb' | 'secretsmanager' | 'codedeploy' | 'lambda';
export type AwsCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
};
type AwsEnvironment = {
  readonly region: string;
  /** Reads the present credentials: they expire, and may be replaced while the process runs. */
  readonly credentials: () => AwsCredentials;
  readonly endpoints: Readonly<Record<AwsService, URL>>;
};

/**
 * Returns region, endpoints and a reader of the credentials, for the function's own region or `otherRegion`.
 * @throws Error that names the variable and its required form, but never contains a value
 */
export function readAwsEnvironment(otherRegion?: string): AwsEnvironment {
  const variables = parseEnvironmentVariables(environmentSchema, process.env);
  const region = otherRegion ?? variables.AWS_REGION;
  const endpointUrlOf = (service: AwsService, configured: string | undefined) =>
    new URL(
      configured ?? variables.AWS_ENDPOINT_URL ?? `https://${service}.${region}.${awsDomainOf(region)}`,
    );
  return {
    region,
    credentials: readAwsCredentials,
    endpoints: {
      dynamodb: endpointUrlOf('dynamodb', variables.AWS_ENDPOINT_URL_DYNAMODB),
      secretsmanager: endpointUrlOf('secretsmanager', variables.AWS_ENDPOINT_URL_SECRETS_MANAGER),
      codedeploy: endpointUrlOf('codedeploy', variables.AWS_ENDPOINT_URL_CODEDEPLOY),
      lambda: endpointUrlOf('lambda', variables.AWS_ENDPOINT_URL_LAMBDA),
    },
  };
}

function readAwsCredentials(): AwsCredentials {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId = '',
    AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  return { accessKeyId, secretAccessKey, sessionToken };
}

/** Returns the domain of AWS for the partition of a region, such as China. */
function awsDomainOf(region: string): string {
  if (region.startsWith('cn-')) return 'amazonaws.com.cn';
  return region.startsWith('eusc-') ? 'amazonaws.eu' : 'amazonaws.com';
}

/** Whether credentials may be sent to the address. Plain http is allowed only for loopback addresses. */
function isAllowedEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  return pathname === '/' && (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname)));
}
