/**
 * Checks the required options when a client is created, instead of failing in the first call after all its attempts.
 */

/**
 * Checks the URL and the required names.
 * @throws TypeError when `serviceUrl` is invalid, or when a required option has no value.
 */
export function checkOptions<Options extends { readonly serviceUrl: string }>(
  options: Options,
  ...names: readonly (keyof Options & string)[]
): void {
  const isUrl = /^https?:/i.test(options.serviceUrl);
  const missing = isUrl ? names.find((name) => !options[name]) : 'serviceUrl with http(s)://';
  if (missing) throw new TypeError(`There is no ${missing}.`);
}
