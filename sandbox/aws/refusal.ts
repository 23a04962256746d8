/** Checks whether AWS would accept a request: its signature and the signer's rights. */
import { rightsRefusal } from './refuse-missing-right.ts';
import { type SignatureRefusal, type SignedRequest, signatureRefusal } from './verify-signature.ts';

type Refusal = SignatureRefusal | { readonly type: 'AccessDeniedException'; readonly message: string };

/**
 * Returns AWS's error for a request; `secretName` is given for Secrets Manager.
 * @returns undefined when the request is allowed
 */
export async function refusalOf(request: SignedRequest, secretName?: string): Promise<Refusal | undefined> {
  const refusal = await signatureRefusal(request);
  if (refusal !== undefined) return refusal;
  const message = rightsRefusal(request, secretName);
  return message === undefined ? undefined : { type: 'AccessDeniedException', message };
}
