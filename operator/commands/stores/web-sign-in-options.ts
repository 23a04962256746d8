/** The options of `store update` about web pages that sign customers in. */
import { parseWebRedirectUri, WEB_REDIRECT_URI_RULE } from '../../../lib/domain/sign-in/web-redirect-uri.ts';
import type { WebSignInChange } from '../../../lib/stores/lifecycle/prepare-web-sign-in-change.ts';
import { type CommandRun, findTextOption } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';

export const WEB_SIGN_IN_OPTIONS: Readonly<Record<string, string>> = {
  '--add-redirect-uri <uri>':
    'let the web page at this exact https address sign customers in, and call the service from its origin; at most ten',
  '--remove-redirect-uri <uri>': 'refuse this page from its next request on; customers stay signed in',
  '--web-client-id <id>': "the platform's client for web pages, of the type web",
};

/**
 * Reads the change that the options describe.
 * @returns undefined when none of the options is given
 * @throws OperatorError when an address is invalid
 */
export function parseWebSignInChange({ operator, options }: CommandRun): WebSignInChange | undefined {
  const addedText = findTextOption(options, 'addRedirectUri');
  const removedUri = findTextOption(options, 'removeRedirectUri');
  const clientId = findTextOption(options, 'webClientId');
  if (addedText === undefined && removedUri === undefined && clientId === undefined) return undefined;
  // Pages of a development server on this machine, for the emulated platform only.
  const originRules = { allowsLoopback: operator.target.isLocal };
  const addedUri = addedText === undefined ? undefined : parseWebRedirectUri(addedText, originRules);
  if (addedText !== undefined && addedUri === undefined)
    throw new OperatorError(`--add-redirect-uri ${WEB_REDIRECT_URI_RULE}.`, 2);
  if (clientId !== undefined && !/^[\x21-\x7e]{1,255}$/.test(clientId))
    throw new OperatorError('--web-client-id must be one word.', 2);
  return { addedUri, removedUri, clientId };
}
