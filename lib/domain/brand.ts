declare const brand: unique symbol;

/** A value that was parsed at the boundary. A bare `T` is not accepted in its place. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
