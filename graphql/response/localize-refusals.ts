/** Translates refusals into the language of the request. Customers get the service's messages only. */

import { translateAll } from '../../lib/messages/translate-all.ts';
import type { LoadTranslator } from '../../lib/messages/translator.ts';
import { type UserErrorEntry, withServiceMessage } from '../../lib/subscriptions/refusal-messages.ts';

type RefusalAudience = { readonly isMerchant: boolean; readonly loadTranslator: LoadTranslator };
type LocalizedRefusals = { readonly userErrors: readonly UserErrorEntry[] };

/**
 * Returns the response with its `userErrors` and all its other messages translated. Customers get the service's message
 * in place of the platform's.
 */
export function localizeRefusals<Response extends LocalizedRefusals>(
  response: Response,
  { isMerchant, loadTranslator }: RefusalAudience,
): Promise<Response> {
  return translateAll(
    isMerchant ? response : { ...response, userErrors: response.userErrors.map(withServiceMessage) },
    loadTranslator,
  );
}
