/** Converts the service's formatted text to plain text: removes tags and decodes entities. */

/** @type {Record<string, string>} */
const CHARACTERS = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'" };

/** @param {string} formatted The platform's FormattedString. */
export function plainText(formatted) {
  return formatted
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|apos|#39);/g, (entity, name) => CHARACTERS[name] ?? entity);
}
