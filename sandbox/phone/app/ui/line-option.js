/** One product that can be chosen for a line, as sheets offer it. */
import { price } from '../messages/format.js';
import { t } from '../messages/translate.js';
import { picture } from './picture.js';

/** @param {import('../subscriptions/lines.js').LineOption} option */
export function optionRow({ productVariant, product, currentPrice }) {
  return {
    value: productVariant.id,
    label: `${product.title}, ${productVariant.title}`,
    detail: t('priceEach', { price: price(currentPrice) }),
    picture: picture(product.featuredMedia?.preview?.image),
  };
}
