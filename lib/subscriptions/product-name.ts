/** The platform's title of the one variant of a product that has no others. */
const ONLY_VARIANT = 'Default Title';

/** Returns the display name of a variant, for example `House blend, 1 kg`. */
export function productName(title: string, variantTitle: string | null): string {
  return variantTitle === null || variantTitle === ONLY_VARIANT ? title : `${title}, ${variantTitle}`;
}
