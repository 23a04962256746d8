/** A snapshot of a global object and the engine's own functions and prototypes in it, to restore them. */

/** Takes the snapshot. `putBack` removes later properties and restores changed values. */
export function pictureOf(global) {
  const values = Reflect.ownKeys(global).map((key) => global[key]);
  const parts = [global, ...values, ...values.map((value) => value?.prototype)].filter(
    (part) => Object(part) === part,
  );
  const pictures = new Map(parts.map((part) => [part, propertiesOf(part)]));
  return {
    putBack() {
      for (const [part, properties] of pictures) putBack(part, properties);
    },
  };
}

function propertiesOf(part) {
  return new Map(Reflect.ownKeys(part).map((key) => [key, Reflect.getOwnPropertyDescriptor(part, key)]));
}

function putBack(part, properties) {
  for (const key of Reflect.ownKeys(part)) if (!properties.has(key)) Reflect.deleteProperty(part, key);
  for (const [key, first] of properties) {
    const now = Reflect.getOwnPropertyDescriptor(part, key);
    const isSame = now !== undefined && Object.keys(first).every((what) => Object.is(first[what], now[what]));
    if (!isSame) Reflect.defineProperty(part, key, first);
  }
}
