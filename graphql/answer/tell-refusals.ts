/** Refusals leave the service as text, in the language of whoever asks; customers hear the service's words alone. */
import type { Speak } from '../../lib/messages/say.ts';
import { tellAll } from '../../lib/messages/tell-all.ts';
import { inOurWords, type ToldRefusal } from '../../lib/subscriptions/customers-words.ts';

type Listening = { readonly isMerchant: boolean; readonly speak: Speak };
type Refusals = { readonly userErrors: readonly ToldRefusal[] };

/** What is told beside `userErrors` is told, too. */
export function tellRefusals<Told extends Refusals>(
  told: Told,
  { isMerchant, speak }: Listening,
): Promise<Told> {
  return tellAll(isMerchant ? told : { ...told, userErrors: told.userErrors.map(inOurWords) }, speak);
}
