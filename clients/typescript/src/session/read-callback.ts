/** The address that the browser came back to, read by hand: React Native's URLSearchParams cuts values at the second `=`. */
import { ServiceError } from '../errors/service-error.ts';

export type Callback = {
  /** Without query and fragment. */
  readonly address: string | undefined;
  readonly state: string;
  /** Undefined: the platform has told an error. */
  readonly code: string | undefined;
  readonly error: string | undefined;
};

/**
 * Throws FOREIGN_REDIRECT for what cannot be an answer to a sign-in: no state, neither or both of code and error, a parameter
 * that comes twice (RFC 6749, section 3.1) or cannot be decoded. Parameters of other names are passed over (section 4.1.2).
 */
export function readCallback(url: string): Callback {
  const [, address, query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? [];
  const { state, code, error } = readParameters(query);
  if (!state || !code === !error) throw foreignRedirect();
  return { address, state, code: code || undefined, error: error || undefined };
}

export function foreignRedirect(): ServiceError {
  return new ServiceError('FOREIGN_REDIRECT');
}

function readParameters(query: string): Record<string, string | undefined> {
  const found = Object.create(null);
  try {
    for (const pair of query.split('&').filter(Boolean)) {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)/s.exec(pair) ?? [];
      const decoded = decodeURIComponent(name);
      if (decoded in found) return {};
      found[decoded] = decodeURIComponent(value.replace(/\+/g, ' '));
    }
    return found;
  } catch {
    return {};
  }
}
