/** The values of an edge: its addresses for clients and for the API, and the secret that identifies its requests. */
import * as z from 'zod';

/** CloudFront takes certificates and firewalls from this region only, wherever the service runs. */
export const EDGE_REGION = 'us-east-1';

export const domainNameSchema = z
  .string()
  .regex(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain name');
export const certificateArnSchema = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
    "must be the ARN of a certificate in ACM, of the API's region",
  );
const sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal: of the secret, not the secret');

/** The placeholder for a hash that the operator has not set: no secret has this hash. */
const PLACEHOLDER_HASH = '0'.repeat(64);

const MISSING_EDGE_DOMAIN_MESSAGE =
  "is missing: an edge needs both, viewer (clients' address) and origin (the API's address behind the edge), each with a " +
  'name and the ARN of a certificate (docs/deploying.md, step 3)';
const requiredPartMessage = {
  error: ({ input }: { input?: unknown }) => (input === undefined ? MISSING_EDGE_DOMAIN_MESSAGE : undefined),
};

export const edgeSchema = z
  .strictObject({
    /** The address that clients use. */
    viewer: z.strictObject(
      {
        name: domainNameSchema,
        certificateArn: z
          .string()
          .regex(
            /^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
            `must be the ARN of a certificate in ACM, in ${EDGE_REGION}`,
          ),
      },
      requiredPartMessage,
    ),
    /** The API's address, which only the edge uses. */
    origin: z.strictObject(
      { name: domainNameSchema, certificateArn: certificateArnSchema },
      requiredPartMessage,
    ),
    /** Two secrets, so that one can be changed while the other is in use. The configuration has only their hashes. */
    secret: z.strictObject({
      /** The secret that the edge sends; the functions accept both. */
      sends: z.enum(['a', 'b']),
      sha256: z.strictObject({ a: sha256Schema, b: sha256Schema }),
    }),
  })
  .refine(({ viewer, origin }) => viewer.name !== origin.name, {
    path: ['origin', 'name'],
    message: "must be another name than the viewer's: the edge would ask itself",
  })
  .refine(({ secret: { sha256: hashes } }) => hashes.a !== hashes.b || hashes.a === PLACEHOLDER_HASH, {
    path: ['secret', 'sha256', 'b'],
    message: "must be another than a's: a secret could not be changed while the other is in use",
  });
export type EdgeConfig = z.infer<typeof edgeSchema>;

/**
 * Returns the secret's name in Secrets Manager, in the edge's region: `{ "a": "…", "b": "…" }`. An operator creates it.
 */
export function formatEdgeSecretName({ secretsPrefix }: { readonly secretsPrefix: string }): string {
  return `${secretsPrefix}/edge`;
}

/** Returns the paths of values that are still placeholders. A deploy with a placeholder serves no request. */
export function listPlaceholderPaths({ viewer, origin, secret }: EdgeConfig): string[] {
  const isPlaceholderByPath = {
    'edge.viewer.name': isExampleDomain(viewer.name),
    'edge.viewer.certificateArn': isExampleArn(viewer.certificateArn),
    'edge.origin.name': isExampleDomain(origin.name),
    'edge.origin.certificateArn': isExampleArn(origin.certificateArn),
    'edge.secret.sha256.a': secret.sha256.a === PLACEHOLDER_HASH,
    'edge.secret.sha256.b': secret.sha256.b === PLACEHOLDER_HASH,
  };
  return Object.entries(isPlaceholderByPath).flatMap(([path, isPlaceholder]) =>
    isPlaceholder ? [path] : [],
  );
}

/** RFC 2606, section 3: no certificate is issued for a name below this domain. */
function isExampleDomain(name: string): boolean {
  return name.endsWith('.example.com');
}

function isExampleArn(arn: string): boolean {
  return arn.split(':')[4] === '000000000000';
}
