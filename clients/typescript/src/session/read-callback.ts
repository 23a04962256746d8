/** The address that the browser came back to, read by hand: React Native's URLSearchParams cuts values at the second `=`. */
import { ServiceError } from '../errors/service-error.ts';

export type Callback = {
  /** Without query and fragment. */
  readonly address: string;
  readonly state: string;
} & ({ readonly code: string } | { readonly error: string });

/**
 * Throws FOREIGN_REDIRECT for what cannot be an answer to a sign-in: no state, neither or both of code and error, a parameter
 * that comes twice (RFC 6749, section 3.1) or cannot be decoded. Parameters of other names are passed over (section 4.1.2).
 */
export function readCallback(url: string): Callback {
  const [whole = ''] = url.split('#', 1);
  const cut = whole.indexOf('?');
  const parameters = readParameters(cut < 0 ? '' : whole.slice(cut + 1));
  const [state, code, error] = ['state', 'code', 'error'].map((name) => parameters?.get(name) || undefined);
  if (state === undefined || (code === undefined) === (error === undefined)) throw foreignRedirect();
  const address = cut < 0 ? whole : whole.slice(0, cut);
  return code === undefined ? { address, state, error: error ?? '' } : { address, state, code };
}

export function foreignRedirect(): ServiceError {
  return new ServiceError('FOREIGN_REDIRECT', {
    message: 'This address belongs to no sign-in of this device.',
  });
}

function readParameters(query: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const pair of query.split('&').filter((each) => each !== '')) {
    const cut = pair.indexOf('=');
    const [name, value] = cut < 0 ? [pair, ''] : [pair.slice(0, cut), pair.slice(cut + 1)];
    try {
      const decoded = decodeURIComponent(name);
      if (found.has(decoded)) return undefined;
      found.set(decoded, decodeURIComponent(value.replace(/\+/g, ' ')));
    } catch {
      return undefined;
    }
  }
  return found;
}
