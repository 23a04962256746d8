declare const brand: unique symbol;

/**
 * The type of a value that was parsed at the boundary, such as a valid shop domain. A plain `T` is not assignable to
 * it.
 */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
