/** A product's picture, loaded through the phone's own server: the page loads nothing from other origins. */
import { configuration } from '../service/configuration.js';
import { element } from './element.js';
import { icon } from './icon.js';

/** @param {{ url: string } | null | undefined} image */
export function picture(image) {
  const frame = element('span', { class: 'picture' });
  const address = image ? new URL(image.url) : undefined;
  if (address === undefined || address.origin !== configuration.platformOrigin) {
    frame.append(icon('box'));
    return frame;
  }
  // The picture has no alternative text, because the title is next to it.
  const image_ = element('img', { src: address.pathname + address.search, alt: '', loading: 'lazy' });
  image_.addEventListener('error', () => image_.replaceWith(icon('box')));
  frame.append(image_);
  return frame;
}
