/** Texts of the platform in a report that others may read: short, on one line, without addresses and secrets. */
import { redact } from '../../../lib/observability/redact.ts';

const MOST = 160;

/** The text in quotation marks. */
export function quoted(text: unknown): string {
  return `“${shareable(`${text}`)}”`;
}

/** The text's first characters, at most so many. */
export function shareable(text: string, most = MOST): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const { safe } = redact({ safe: line.replace(/\S+@\S+\.\S+/g, '[e-mail]') });
  const short = `${safe}`;
  return short.length <= most ? short : `${short.slice(0, most)}…`;
}

/** The address without what may stand behind its path: codes, states, tokens. */
export function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url === null
    ? quoted(address)
    : shareable(`${url.origin === 'null' ? url.protocol : url.origin}${url.pathname}`);
}
