/** Checks whether AWS would accept a request: its signature and the signer's rights. */
import { findMissingRight } from './check-function-rights.ts';
import { findSignatureError, type SignatureError, type SignedRequest } from './verify-signature.ts';

type AwsRequestError = SignatureError | { readonly type: 'AccessDeniedException'; readonly message: string };

/**
 * Returns AWS's error for a request; `secretName` is given for Secrets Manager.
 * @returns undefined when the request is allowed
 */
export async function findRequestError(
  request: SignedRequest,
  secretName?: string,
): Promise<AwsRequestError | undefined> {
  const signatureError = await findSignatureError(request);
  if (signatureError !== undefined) return signatureError;
  const message = findMissingRight(request, secretName);
  return message === undefined ? undefined : { type: 'AccessDeniedException', message };
}
