export function pictureOf(global: object): { putBack(): void };
