/** Texts of the platform in a report that others may read: short, on one line, without addresses and secrets. */
import { redact } from '../../../lib/observability/redact.ts';

const MOST = 160;

/** In quotation marks. */
export function quoted(text: unknown): string {
  return `“${shareable(`${text}`)}”`;
}

/** At most so many characters of it. */
export function shareable(text: string, most = MOST): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const { safe } = redact({ safe: line.replace(/\S+@\S+\.\S+/g, '[e-mail]') });
  const short = `${safe}`;
  return short.length <= most ? short : `${short.slice(0, most)}…`;
}

/** Without what may stand behind an address's path: codes, states, tokens. */
export function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url === null
    ? quoted(address)
    : shareable(`${url.origin === 'null' ? url.protocol : url.origin}${url.pathname}`);
}
