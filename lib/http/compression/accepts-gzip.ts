/**
 * Whether the header `Accept-Encoding` (RFC 9110, section 12.5.3) allows gzip. A missing header allows every coding.
 * `gzip` has priority over `*`, and a quality of 0 forbids the coding.
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return true;
  const contentCodings = acceptEncoding.split(',').map((part) => {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return { coding, isRefused: parameters.some((text) => /^q\s*=\s*0(\.0*)?$/.test(text)) };
  });
  const gzipCoding =
    contentCodings.find(({ coding }) => coding === 'gzip') ??
    contentCodings.find(({ coding }) => coding === '*');
  return gzipCoding !== undefined && !gzipCoding.isRefused;
}
