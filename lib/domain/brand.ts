declare const brand: unique symbol;

/** A value that was parsed at the boundary. A plain `T` is not assignable to it. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
