/**
 * Converts headers to a list of alternating names and values, which Node's HTTP client writes fastest. From an object
 * Node first builds a map, which takes a tenth of the time of a short request. With a list, Node does not add the
 * headers Host and Content-Length.
 */
export function toHeaderList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = [];
  for (const name of Object.keys(headers)) list.push(name, `${headers[name]}`);
  return list;
}
