/** Whether AWS would take a request at all: who signed it, and what he may do. */
import { rightsRefusal } from './refuse-missing-right.ts';
import { type SignatureRefusal, type SignedRequest, signatureRefusal } from './verify-signature.ts';

type Refusal = SignatureRefusal | { readonly type: 'AccessDeniedException'; readonly message: string };

/** `secretName`: of calls to Secrets Manager. Undefined: the request goes on. */
export async function refusalOf(request: SignedRequest, secretName?: string): Promise<Refusal | undefined> {
  const refusal = await signatureRefusal(request);
  if (refusal !== undefined) return refusal;
  const message = rightsRefusal(request, secretName);
  return message === undefined ? undefined : { type: 'AccessDeniedException', message };
}
