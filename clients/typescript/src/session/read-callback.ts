/** Parses the redirect address. It does not use URLSearchParams: React Native's cuts values at the second `=`. */
import { ServiceError } from '../errors/service-error.ts';

export type SignInCallback = {
  /** The URL without its query and fragment. */
  readonly address: string | undefined;
  readonly state: string;
  /** Undefined when the platform returned an error. */
  readonly code: string | undefined;
  readonly error: string | undefined;
};

/**
 * Parses the redirect address of a sign-in. Throws FOREIGN_REDIRECT without a state, with neither or both of code and
 * error, and for a parameter that is repeated (RFC 6749, section 3.1) or cannot be decoded. Ignores parameters of other
 * names (section 4.1.2).
 */
export function parseSignInCallback(url: string): SignInCallback {
  const [, address, query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? [];
  const { state, code, error } = readParameters(query);
  if (!state || !code === !error) throw foreignRedirectError();
  return { address, state, code: code || undefined, error: error || undefined };
}

export function foreignRedirectError(): ServiceError {
  return new ServiceError('FOREIGN_REDIRECT');
}

function readParameters(query: string): Record<string, string | undefined> {
  const parameters = Object.create(null);
  try {
    for (const pair of query.split('&').filter(Boolean)) {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)/s.exec(pair) ?? [];
      const decodedName = decodeURIComponent(name);
      if (decodedName in parameters) return {};
      parameters[decodedName] = decodeURIComponent(value.replace(/\+/g, ' '));
    }
    return parameters;
  } catch {
    return {};
  }
}
