/** Changes the pages that sign a store's customers in, and the platform's client for them. */
import type { WebRedirectUri } from '../../domain/sign-in/web-redirect-uri.ts';
import { MAX_REDIRECT_URIS, type WebSignIn } from '../../domain/sign-in/web-sign-in.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { CheckSignInClientDeps } from '../checks/check-sign-in.ts';
import { checkWebSignIn } from '../checks/check-web-sign-in.ts';

export type WebSignInChange = {
  readonly addedUri?: WebRedirectUri | undefined;
  readonly removedUri?: string | undefined;
  readonly clientId?: string | undefined;
};

/**
 * Returns the setting after the change, for `updateStore`. Writes nothing. A page that is added, or a new client id, is
 * checked at the platform first. A removal is not checked, because it must always be possible.
 * @throws StoreChangeRefused when the list does not allow the change, when no client id is known, or when the platform
 * does not accept the new pages or the client
 */
export async function prepareWebSignInChange(
  deps: CheckSignInClientDeps,
  store: StoreRecord,
  change: WebSignInChange,
): Promise<WebSignIn> {
  const webSignInAfter = applyWebSignInChange(store.webSignIn, change);
  if (change.addedUri === undefined && change.clientId === undefined) return webSignInAfter;
  const findings = await checkWebSignIn(deps, { signIn: store.signIn, webSignIn: webSignInAfter });
  const failedFinding = findings.find(({ state }) => state !== 'ok');
  if (failedFinding !== undefined)
    throw new StoreChangeRefused(
      `${failedFinding.name}: ${failedFinding.found}. ${failedFinding.fix} Nothing was changed.`,
    );
  return webSignInAfter;
}

function applyWebSignInChange(webSignInBefore: WebSignIn | undefined, change: WebSignInChange): WebSignIn {
  const { addedUri, removedUri, clientId = webSignInBefore?.clientId } = change;
  const { redirectUris = [], revision = 0 } = webSignInBefore ?? {};
  if (removedUri !== undefined && !redirectUris.some((redirectUri) => redirectUri === removedUri))
    throw new StoreChangeRefused(
      `This page is not entered: ${removedUri}. ${redirectUrisText(redirectUris)}`,
      'ABSENT',
    );
  const remainingUris = redirectUris.filter((redirectUri) => redirectUri !== removedUri);
  if (addedUri !== undefined && remainingUris.includes(addedUri))
    throw new StoreChangeRefused(`This page is already entered. ${redirectUrisText(redirectUris)}`);
  if (addedUri !== undefined && remainingUris.length >= MAX_REDIRECT_URIS)
    throw new StoreChangeRefused(`A store has at most ${MAX_REDIRECT_URIS} pages. Remove one first.`);
  if (clientId === undefined)
    throw new StoreChangeRefused(
      'Add --web-client-id with the id of a client of the type web, because the client of mobile apps accepts no pages.',
      'INPUT',
    );
  const urisAfter = addedUri === undefined ? remainingUris : [...remainingUris, addedUri];
  return { clientId, redirectUris: urisAfter, revision: revision + 1 };
}

function redirectUrisText(redirectUris: readonly string[]): string {
  return redirectUris.length === 0 ? 'None is entered.' : `Entered: ${redirectUris.join(', ')}.`;
}
