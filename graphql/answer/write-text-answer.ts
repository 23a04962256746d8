/** An answer that goes out as the text that the platform sent, its ids rewritten. */
import type { PlatformCost } from '../../lib/platform/admin-api/admin-answer.ts';

/** The client's whole answer as JSON, from that of its data; `cost`: for those to whom it is shown. */
export function writeTextAnswer(data: string, cost: PlatformCost | undefined): string {
  const extensions = cost === undefined ? '' : `,"extensions":${JSON.stringify({ cost })}`;
  return `{"data":${data}${extensions}}`;
}
