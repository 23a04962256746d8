/** Whether an answer may be sent with gzip: a page of megabytes costs by the byte. */

/**
 * Reads `Accept-Encoding` (RFC 9110, section 12.5.3): without the header any coding will do; with it, `gzip` counts before
 * `*`, and a quality of 0 refuses.
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return true;
  const codings = acceptEncoding.split(',').map((part) => {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return { coding, isRefused: parameters.some((text) => /^q\s*=\s*0(\.0*)?$/.test(text)) };
  });
  const found =
    codings.find(({ coding }) => coding === 'gzip') ?? codings.find(({ coding }) => coding === '*');
  return found !== undefined && !found.isRefused;
}
