/** Posts forms to the platform for a store's access token, within the limits of sign-in requests. */
import { TransportError } from '../send-request.ts';
import type { SendSignInRequest } from '../sign-in/sign-in-request.ts';

/**
 * Posts a form.
 * @returns undefined when no complete response arrived
 */
export type PostForm = (
  url: string,
  fields: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: string } | undefined>;

/** Creates the function that posts a form to the platform with `send`. */
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
