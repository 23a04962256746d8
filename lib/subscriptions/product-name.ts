/** The title that the platform gives to the variant of a product with only one variant. */
const ONLY_VARIANT_TITLE = 'Default Title';

/** Returns the name of a variant as people read it, for example `House blend, 1 kg`. */
export function formatProductName(title: string, variantTitle: string | null): string {
  return variantTitle === null || variantTitle === ONLY_VARIANT_TITLE ? title : `${title}, ${variantTitle}`;
}
