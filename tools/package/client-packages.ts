/** The packages for developers of apps, by their folders in `clients`. */

type ClientPackage = {
  /** The modules that users import, by the subpath of the package. The first one is the package itself. */
  readonly entries: Readonly<Record<`.${string}`, string>>;
  /** The packages that the app has installed. */
  readonly peers: readonly string[];
  /** The schemas from which apps generate types. */
  readonly schemas: readonly string[];
};

export const CLIENT_PACKAGES = {
  typescript: {
    // Such as `documents/changes/skip-order`.
    entries: { '.': 'client', './documents/*': 'operations/generated/*' },
    peers: [],
    schemas: ['customer.graphql', 'admin.graphql'],
  },
  react: {
    entries: { '.': 'react', './queries': 'queries' },
    peers: ['react', '@tanstack/react-query', 'subscription-management-client'],
    schemas: [],
  },
} as const satisfies Readonly<Record<string, ClientPackage>>;

export type ClientPackageName = keyof typeof CLIENT_PACKAGES;
