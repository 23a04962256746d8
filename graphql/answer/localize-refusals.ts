/** Refusals leave the service as text, in the language of whoever asks; customers hear the service's words alone. */

import { translateAll } from '../../lib/messages/translate-all.ts';
import type { LoadTranslator } from '../../lib/messages/translator.ts';
import { type TranslatedRefusal, withServiceMessage } from '../../lib/subscriptions/refusal-messages.ts';

type Listening = { readonly isMerchant: boolean; readonly loadTranslator: LoadTranslator };
type Refusals = { readonly userErrors: readonly TranslatedRefusal[] };

/** What is told beside `userErrors` is told, too. */
export function localizeRefusals<Response extends Refusals>(
  response: Response,
  { isMerchant, loadTranslator }: Listening,
): Promise<Response> {
  return translateAll(
    isMerchant ? response : { ...response, userErrors: response.userErrors.map(withServiceMessage) },
    loadTranslator,
  );
}
