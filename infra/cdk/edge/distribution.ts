/**
 * The CloudFront distribution. It forwards every request with the secret that identifies it to the functions, and
 * caches nothing.
 */
import { Duration, SecretValue } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';
import { EDGE_SECRET_HEADER } from '../../../lib/http/edge/require-edge.ts';
import { type EdgeConfig, formatEdgeSecretName } from '../../definition/edge-config.ts';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';

/** The errors that CloudFront caches for ten seconds by default. */
const UNCACHED_ERROR_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

export type DistributionInput = {
  readonly config: EnvironmentConfig;
  readonly edge: EdgeConfig;
  readonly firewallArn: string;
};

export function createDistribution(
  scope: Construct,
  { config, edge, firewallArn }: DistributionInput,
): Distribution {
  return new Distribution(scope, 'Distribution', {
    comment: `Edge of ${edge.viewer.name}`,
    domainNames: [edge.viewer.name],
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', edge.viewer.certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    httpVersion: HttpVersion.HTTP2_AND_3,
    webAclId: firewallArn,
    // An IPv6 client owns billions of addresses, and the firewall counts by address.
    enableIpv6: false,
    defaultBehavior: {
      origin: createApiOrigin(config, edge),
      // Sign-out is a DELETE with a body. CloudFront refuses bodies of GET only.
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // The viewer's Host header matches no domain at API Gateway.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      // No redirect: a client that sends a token in clear text must notice.
      compress: false,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    },
    errorResponses: UNCACHED_ERROR_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
  });
}

/** CloudFormation reads the secret in this region; the template contains only its location. */
function createApiOrigin(config: EnvironmentConfig, { origin, secret }: EdgeConfig): HttpOrigin {
  const secretValue = SecretValue.secretsManager(formatEdgeSecretName(config), { jsonField: secret.sends });
  return new HttpOrigin(origin.name, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    // Longer than API Gateway's time-out of 30 s.
    readTimeout: Duration.seconds(35),
    customHeaders: { [EDGE_SECRET_HEADER]: secretValue.unsafeUnwrap() },
  });
}
