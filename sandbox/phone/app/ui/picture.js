/** A product's picture, by way of the phone's own server: the page takes nothing from anywhere else. */
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
  // The title stands beside it, so the picture itself says nothing new to a screen reader.
  const image_ = element('img', { src: address.pathname + address.search, alt: '', loading: 'lazy' });
  image_.addEventListener('error', () => image_.replaceWith(icon('box')));
  frame.append(image_);
  return frame;
}
