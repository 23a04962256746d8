/** A form to the platform, for renewing a store's grant: bounded as every request of sign-in is. */
import type { PostForm } from './refresh-grant.ts';
import { type SendSignInRequest, TransportError } from './sign-in-request.ts';

/** The poster over a sender. Undefined: no whole answer came. */
export function createPostForm({ send }: { readonly send: SendSignInRequest }): PostForm {
  return async (url, fields) => {
    try {
      return await send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams(fields).toString(),
      });
    } catch (error) {
      if (error instanceof TransportError) return undefined;
      throw error;
    }
  };
}
