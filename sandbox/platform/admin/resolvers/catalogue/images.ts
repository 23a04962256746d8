/** Product images. The platform serves their SVG files itself. */
import { formatAssetUrl } from '../../../state/state.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';

export type ImageView = { __typename: 'Image'; asset: string; altText: string };

/** Returns the image of an asset, or null without an asset. */
export function toImageView(asset: string | null, altText: string): ImageView | null {
  return asset === null ? null : { __typename: 'Image', asset, altText };
}

function resolveImageUrl(image: ImageView, _args: unknown, { origin }: AdminContext): string {
  return formatAssetUrl(origin, image.asset);
}

export const imageResolvers: ResolverMap = {
  Image: typeResolvers<ImageView>({
    id: () => null,
    url: resolveImageUrl,
    src: resolveImageUrl,
    originalSrc: resolveImageUrl,
    transformedSrc: resolveImageUrl,
    width: () => 600,
    height: () => 600,
    thumbhash: () => null,
    translations: () => [],
  }),
};
