declare const brand: unique symbol;

/** A value that was parsed at the boundary: a bare `T` does not pass for it. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
